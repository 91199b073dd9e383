//! Those whom an identity provider outside knows: from its word to a session here, or to one request.
//!
//! The provider is asked between transactions; what follows from what it says is one transaction: the account
//! (`linking`), its organizations and whether it administers the instance (`mirroring`), and at sign-in the session.

mod leaving;
mod linking;
mod mirroring;
mod pending;

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use quick_cache::sync::Cache;

pub(super) use self::mirroring::lapse;
pub use self::{
    leaving::Hint,
    linking::{EarlierAccess, Ended},
    pending::{AccessKind, DECISION_TIME, PendingLink, UndecidedLink},
};
use super::{
    access::{Gate, Reads, SystemTx, active_organization},
    sessions::{self, Begun, OrgChoice},
    store,
};
pub use crate::auth::oidc::PENDING;
use crate::{
    auth::{
        Credential, External, TokenHash,
        oidc::{Assertion, Known, Pending, Provider, Refusal},
        tokens,
    },
    clock::SECOND,
    error::{Error, Result},
};

/// How many tokens are remembered, each for as long as it is good.
const REMEMBERED: usize = 10_000;
/// Longest address of ours that is come back to, in bytes.
const LONGEST_NEXT: usize = 2_000;
/// What a sign-in that is under way is sealed for.
const PURPOSE: &str = "oidc";

/// Where to send a browser, and what it keeps meanwhile.
#[derive(Debug)]
pub struct Departure {
    /// The provider's page.
    pub url: String,
    /// Names what the browser keeps: several tabs may be under way.
    pub state: String,
    /// What the browser keeps.
    pub kept: String,
}

/// What a browser came back with.
#[derive(Debug, Default)]
pub struct Arrival {
    /// The state in the address.
    pub state: Option<String>,
    /// What the browser has kept for it.
    pub kept: Option<String>,
    /// The code.
    pub code: Option<String>,
    /// What the provider has against it.
    pub error: Option<String>,
    /// What the browser says it is.
    pub user_agent: Option<String>,
}

/// Why nobody was signed in: a word for the address that the browser is sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// Nobody went to the provider with this state from this browser, or too long ago.
    BadState,
    /// They, or the provider, did not want it.
    Denied,
    /// The provider cannot be reached, or does not answer as it should.
    Unreachable,
    /// What the provider said is not to be believed.
    Untrue,
    /// They come too often.
    TooMany,
    /// The account is suspended.
    Suspended,
    /// Something here failed.
    Failed,
}

impl Obstacle {
    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Self::BadState => "bad_state",
            Self::Denied => "denied",
            Self::Unreachable => "unreachable",
            Self::Untrue => "untrue",
            Self::TooMany => "too_many",
            Self::Suspended => "suspended",
            Self::Failed => "failed",
        }
    }
}

/// A path of our pages: nothing that a browser could take for another site.
#[derive(Debug, Clone)]
pub struct OwnPage(String);

impl OwnPage {
    /// None for what is no such path.
    pub fn new(next: &str) -> Option<Self> {
        let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        let is_path = next.len() <= LONGEST_NEXT && next.starts_with('/') && !next.starts_with("//");
        (plain && is_path).then(|| Self(next.to_owned()))
    }

    /// The path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The outcome of a return from the provider.
#[derive(Debug)]
pub enum Outcome {
    /// Signed in.
    SignedIn(Box<Begun>),
    /// The provider vouches for the email address of an account that has a password, and its owner has to decide. This is
    /// the pending link, sealed, for the browser to store.
    Undecided(String),
    /// Not signed in.
    Refused(Obstacle),
}

/// The end of a sign-in, one way or another, and the page that one came for.
#[derive(Debug)]
pub struct Landing {
    /// Whether somebody is signed in.
    pub outcome: Outcome,
    /// The page.
    pub next: Option<String>,
    /// What the browser keeps for when it signs out, if anything.
    pub hint: Option<Hint>,
    /// What ended because the account was linked to the provider just now.
    pub ended: Ended,
}

/// Those whom an identity provider outside knows. Clones share it.
#[derive(Debug, Clone)]
pub struct Identity {
    gate: Gate,
    provider: Option<Provider>,
    /// Who turned out to be behind a token.
    known: Arc<Cache<TokenHash, External>>,
}

impl Identity {
    /// With the provider, if there is one.
    pub fn new(gate: Gate, provider: Option<Provider>) -> Self {
        Self { gate, provider, known: Arc::new(Cache::new(REMEMBERED)) }
    }

    /// Whether a JWT is for the provider's keys to verify, and not for ours.
    pub fn knows(&self, issuer: &str) -> bool {
        self.provider.as_ref().is_some_and(|provider| provider.issuer() == issuer)
    }

    /// Whom a JWT of the provider's stands for. With the first one an account is made; with each new one memberships
    /// follow what it says.
    pub async fn bearer(&self, token: &str) -> Result<Credential> {
        const NOBODY: Error = Error::Unauthenticated("the credential is not a token of this instance");
        let provider = self.provider.as_ref().ok_or(NOBODY)?;
        let hash = tokens::hash(token);
        if let Some(known) = self.known.get(&hash).filter(|known| known.expires * SECOND > self.gate.now()) {
            return Ok(Credential::External(known));
        }
        let assertion = provider.bearer(token).await?;
        let expires = assertion.expires;
        let admitted = self.gate.aside(move |tx| admit(tx, &assertion, EarlierAccess::End)).await?;
        let external = External { user_id: admitted.user_id, organization_id: admitted.active, expires };
        self.known.insert(hash, external.clone());
        Ok(Credential::External(external))
    }

    /// Sends a browser to the provider; `next` is the page that it comes back for.
    pub async fn depart(&self, next: Option<OwnPage>) -> Result<std::result::Result<Departure, Obstacle>> {
        let provider = self.sign_in_provider()?;
        let pending = Pending::new(next.map(|page| page.0), self.gate.now());
        let url = match provider.authorize_url(&pending).await {
            Ok(url) => url.into(),
            Err(refusal) => return Ok(Err(obstacle(&refusal))),
        };
        let sealed = self.gate.shared().keys.seal(PURPOSE, &serde_json::to_vec(&pending)?)?;
        Ok(Ok(Departure { url, state: pending.state, kept: URL_SAFE_NO_PAD.encode(sealed) }))
    }

    /// Receives a browser from the provider.
    pub async fn arrive(&self, arrival: Arrival) -> Result<Landing> {
        let provider = self.sign_in_provider()?;
        let Arrival { state, kept, code, error, user_agent } = arrival;
        let pending = kept.and_then(|kept| self.opened(&kept));
        let Some(pending) = pending.filter(|pending| Some(&pending.state) == state.as_ref()) else {
            return Ok(Landing {
                outcome: Outcome::Refused(Obstacle::BadState),
                next: None,
                hint: None,
                ended: Ended::default(),
            });
        };
        let landed = |outcome| Landing { outcome, next: pending.next.clone(), hint: None, ended: Ended::default() };
        let Some(given) = code.filter(|code| !code.is_empty() && error.is_none()) else {
            return Ok(landed(Outcome::Refused(Obstacle::Denied)));
        };
        let Known { assertion, id_token } = match provider.exchange(&pending, &given).await {
            Ok(known) => known,
            Err(refusal) => return Ok(landed(Outcome::Refused(obstacle(&refusal)))),
        };
        let entered = self.gate.aside(move |tx| {
            if let Some(sealed) = UndecidedLink::seal(tx.core(), &assertion)? {
                return Ok((Outcome::Undecided(sealed), Ended::default()));
            }
            let (begun, ended) = enter(tx, &assertion, EarlierAccess::End, user_agent.as_deref())?;
            Ok((Outcome::SignedIn(Box::new(begun)), ended))
        });
        let obstacle = match entered.await {
            Ok((outcome, ended)) => {
                let hint = self.hint(provider, &id_token)?;
                return Ok(Landing { hint, ended, ..landed(outcome) });
            }
            Err(Error::Suspended) => Obstacle::Suspended,
            Err(Error::Unauthenticated(_)) => Obstacle::Untrue,
            Err(error) => {
                tracing::error!(%error, "who came from the identity provider could not be signed in");
                Obstacle::Failed
            }
        };
        Ok(landed(Outcome::Refused(obstacle)))
    }

    fn sign_in_provider(&self) -> Result<&Provider> {
        let provider = self.provider.as_ref().filter(|provider| provider.signs_in());
        provider.ok_or(Error::NotFound("identity provider"))
    }

    fn opened(&self, kept: &str) -> Option<Pending> {
        let shared = self.gate.shared();
        let opened = shared.keys.open(PURPOSE, &URL_SAFE_NO_PAD.decode(kept).ok()?).ok()?;
        let pending: Pending = serde_json::from_slice(&opened).ok()?;
        (pending.until > shared.clock.now()).then_some(pending)
    }
}

/// Somebody whom the provider knows, as we do.
struct Admitted {
    user_id: i64,
    /// The organization that they act in.
    active: Option<String>,
    /// What ended because the account was linked just now.
    ended: Ended,
}

/// Signs in the user of an assertion.
fn enter(
    tx: &mut SystemTx<'_>,
    assertion: &Assertion,
    access: EarlierAccess,
    user_agent: Option<&str>,
) -> Result<(Begun, Ended)> {
    let admitted = admit(tx, assertion, access)?;
    let core = tx.core();
    let lifetime = core.shared.sessions.external.as_ref().map(|external| external.session_lifetime);
    let choice = admitted.active.map_or(OrgChoice::First, OrgChoice::One);
    let ends_at = lifetime.map(|lifetime| core.now + lifetime);
    let begun = sessions::begin_until(core, admitted.user_id, &choice, user_agent, ends_at)?;
    Ok((begun, admitted.ended))
}

/// The account of an assertion, up to date. `access` counts if the account is linked by this.
fn admit(tx: &mut SystemTx<'_>, assertion: &Assertion, access: EarlierAccess) -> Result<Admitted> {
    let (issuer, subject) = (&assertion.issuer, &assertion.subject);
    let known = store::identities::said_at(tx.core().conn, issuer, subject)?;
    if assertion.issued < known {
        return outdated(tx, assertion);
    }
    let (user_id, ended) = linking::account(tx.core(), assertion, access)?;
    let active = mirroring::follow(tx, user_id, assertion)?;
    mirroring::administer(tx.core(), user_id, assertion)?;
    if assertion.issued > known {
        store::identities::said(tx.core().conn, issuer, subject, assertion.issued)?;
    }
    Ok(Admitted { user_id, active, ended })
}

/// A token that is good, but older than one that has been heard: it names an organization, and what its user is there now
/// is what newer ones have said.
fn outdated(tx: &SystemTx<'_>, assertion: &Assertion) -> Result<Admitted> {
    const OLD: Error = Error::Unauthenticated("a newer token has said something else; send that one");
    let user_id = store::identities::user_of(tx.core().conn, &assertion.issuer, &assertion.subject)?.ok_or(OLD)?;
    let active = match assertion.organizations.first() {
        Some(named) => Some(active_organization(tx.core().conn, &named.id, user_id)?.ok_or(OLD)?.id),
        None => mirroring::default_of(tx, user_id)?,
    };
    Ok(Admitted { user_id, active, ended: Ended::default() })
}

fn obstacle(refusal: &Refusal) -> Obstacle {
    match refusal {
        Refusal::Unreachable(problem) => {
            tracing::warn!(%problem, "the identity provider did not do its part of a sign-in");
            Obstacle::Unreachable
        }
        Refusal::Untrue(problem) => {
            tracing::warn!(%problem, "the identity provider said what is not to be believed");
            Obstacle::Untrue
        }
    }
}
