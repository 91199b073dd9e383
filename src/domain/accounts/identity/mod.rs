//! Sign-in and API access through an external identity provider.
//!
//! The provider is called between transactions. Its assertion is processed in one transaction: the account (`linking`),
//! its organizations and instance administrator role (`mirroring`), and at sign-in the session.

mod linking;
mod mirroring;
mod model;
mod pending;
mod sign_out;

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use quick_cache::sync::Cache;

pub(in crate::domain) use self::mirroring::expire_memberships;
pub use self::{
    linking::{EarlierAccess, EndedAccess},
    pending::{AccessKind, DECISION_TIME, PendingLink, UndecidedLink},
    sign_out::SignOutHint,
};
use super::{
    sessions::{self, NewSession, OrgChoice},
    store,
};
pub use crate::auth::oidc::PENDING;
use crate::{
    auth::{
        Credential, ExternalAccount, TokenHash,
        oidc::{Assertion, Pending, Provider, ProviderError, ProviderUser},
        tokens,
    },
    clock::SECOND,
    domain::core::{Gate, Reads, SystemTx, active_organization},
    error::{Error, Result},
};

/// Maximum number of cached tokens. Each is cached until it expires.
const MAX_CACHED_TOKENS: usize = 10_000;
/// Maximum length of the page address to return to, in bytes.
const MAX_NEXT_BYTES: usize = 2_000;
/// Purpose of the seal of sign-ins in progress.
const PURPOSE: &str = "oidc";

/// The redirect to the provider, and the data that the browser stores until it returns.
#[derive(Debug)]
pub struct ProviderRedirect {
    /// URL of the provider's sign-in page.
    pub url: String,
    /// Identifies the stored data, because sign-ins may be in progress in several tabs.
    pub state: String,
    /// The sealed data that the browser stores.
    pub cookie: String,
}

/// The request with which the browser returns from the provider.
#[derive(Debug, Default)]
pub struct ProviderCallback {
    /// The `state` parameter.
    pub state: Option<String>,
    /// The sealed data that the browser stored for this state.
    pub cookie: Option<String>,
    /// The authorization code.
    pub code: Option<String>,
    /// The provider's error code.
    pub error: Option<String>,
    /// User agent of the browser.
    pub user_agent: Option<String>,
}

/// The reason for a failed sign-in, as a code for the URL that the browser is redirected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInError {
    /// This browser has not started a sign-in with this state, or started it too long ago.
    InvalidState,
    /// The user or the provider denied the request.
    Denied,
    /// The provider cannot be reached or returned an unexpected response.
    Unreachable,
    /// The provider's response failed verification.
    InvalidResponse,
    /// The rate limit was exceeded.
    RateLimited,
    /// The account is suspended.
    Suspended,
    /// An internal error occurred.
    Failed,
}

impl SignInError {
    /// The code of the reason.
    pub fn code(self) -> &'static str {
        match self {
            Self::InvalidState => "bad_state",
            Self::Denied => "denied",
            Self::Unreachable => "unreachable",
            Self::InvalidResponse => "untrue",
            Self::RateLimited => "too_many",
            Self::Suspended => "suspended",
            Self::Failed => "failed",
        }
    }
}

/// A path on this site. Browsers cannot interpret it as a URL of another site.
#[derive(Debug, Clone)]
pub struct LocalPath(String);

impl LocalPath {
    /// Parses a path; none if it is not a path on this site.
    pub fn new(next: &str) -> Option<Self> {
        let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        let is_path = next.len() <= MAX_NEXT_BYTES && next.starts_with('/') && !next.starts_with("//");
        (plain && is_path).then(|| Self(next.to_owned()))
    }

    /// The path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The outcome of a return from the provider.
#[derive(Debug)]
pub enum CallbackOutcome {
    /// Signed in.
    SignedIn(Box<NewSession>),
    /// The provider vouches for the email address of an account that has a password, and its owner has to decide. This
    /// is the pending link, sealed, for the browser to store.
    Undecided(String),
    /// Not signed in; contains the reason.
    Failed(SignInError),
}

/// The result of a sign-in, successful or not, and the page to return to.
#[derive(Debug)]
pub struct CallbackResult {
    /// Whether the user was signed in.
    pub outcome: CallbackOutcome,
    /// The page to return to.
    pub next: Option<String>,
    /// The value that the browser stores for sign-out, if any.
    pub hint: Option<SignOutHint>,
    /// The access that ended because the account was linked to the provider by this sign-in.
    pub ended: EndedAccess,
}

/// Authenticates users through an external identity provider. Clones share state.
#[derive(Debug, Clone)]
pub struct IdentityService {
    gate: Gate,
    provider: Option<Provider>,
    /// Verified tokens and their users.
    known: Arc<Cache<TokenHash, ExternalAccount>>,
}

impl IdentityService {
    /// Creates the service with the provider, if one is configured.
    pub fn new(gate: Gate, provider: Option<Provider>) -> Self {
        Self { gate, provider, known: Arc::new(Cache::new(MAX_CACHED_TOKENS)) }
    }

    /// Whether a JWT from `issuer` must be verified with the provider's keys instead of our own.
    pub fn knows(&self, issuer: &str) -> bool {
        self.provider.as_ref().is_some_and(|provider| provider.issuer() == issuer)
    }

    /// Returns the credential for a JWT of the provider. The first JWT creates the user's account, and each new JWT
    /// updates the user's memberships.
    pub async fn bearer(&self, token: &str) -> Result<Credential> {
        const NOT_OURS: Error = Error::Unauthenticated("the credential is not a token of this instance");
        let provider = self.provider.as_ref().ok_or(NOT_OURS)?;
        let hash = tokens::hash(token);
        if let Some(known) = self.known.get(&hash).filter(|known| known.expires * SECOND > self.gate.now()) {
            return Ok(Credential::External(known));
        }
        let assertion = provider.bearer(token).await?;
        let expires = assertion.expires;
        let admitted = self.gate.aside(move |tx| admit(tx, &assertion, EarlierAccess::End)).await?;
        let external = ExternalAccount { user_id: admitted.user_id, organization_id: admitted.active, expires };
        self.known.insert(hash, external.clone());
        Ok(Credential::External(external))
    }

    /// Starts a sign-in at the provider; `next` is the page to return to.
    pub async fn start_sign_in(
        &self,
        next: Option<LocalPath>,
    ) -> Result<std::result::Result<ProviderRedirect, SignInError>> {
        let provider = self.sign_in_provider()?;
        let pending = Pending::new(next.map(|page| page.0), self.gate.now());
        let url = match provider.authorize_url(&pending).await {
            Ok(url) => url.into(),
            Err(error) => return Ok(Err(sign_in_error(&error))),
        };
        let sealed = self.gate.shared().keys.seal(PURPOSE, &serde_json::to_vec(&pending)?)?;
        Ok(Ok(ProviderRedirect { url, state: pending.state, cookie: URL_SAFE_NO_PAD.encode(sealed) }))
    }

    /// Completes a sign-in when the browser returns from the provider.
    pub async fn complete_sign_in(&self, callback: ProviderCallback) -> Result<CallbackResult> {
        let provider = self.sign_in_provider()?;
        let ProviderCallback { state, cookie, code, error, user_agent } = callback;
        let pending = cookie.and_then(|cookie| self.opened(&cookie));
        let Some(pending) = pending.filter(|pending| Some(&pending.state) == state.as_ref()) else {
            return Ok(CallbackResult {
                outcome: CallbackOutcome::Failed(SignInError::InvalidState),
                next: None,
                hint: None,
                ended: EndedAccess::default(),
            });
        };
        let result =
            |outcome| CallbackResult { outcome, next: pending.next.clone(), hint: None, ended: EndedAccess::default() };
        let Some(given) = code.filter(|code| !code.is_empty() && error.is_none()) else {
            return Ok(result(CallbackOutcome::Failed(SignInError::Denied)));
        };
        let ProviderUser { assertion, id_token } = match provider.exchange(&pending, &given).await {
            Ok(known) => known,
            Err(error) => return Ok(result(CallbackOutcome::Failed(sign_in_error(&error)))),
        };
        let signed_in = self.gate.aside(move |tx| {
            if let Some(sealed) = UndecidedLink::seal(tx.core(), &assertion)? {
                return Ok((CallbackOutcome::Undecided(sealed), EndedAccess::default()));
            }
            let (begun, ended) = sign_in(tx, &assertion, EarlierAccess::End, user_agent.as_deref())?;
            Ok((CallbackOutcome::SignedIn(Box::new(begun)), ended))
        });
        let sign_in_error = match signed_in.await {
            Ok((outcome, ended)) => {
                let hint = self.hint(provider, &id_token)?;
                return Ok(CallbackResult { hint, ended, ..result(outcome) });
            }
            Err(Error::Suspended) => SignInError::Suspended,
            Err(Error::Unauthenticated(_)) => SignInError::InvalidResponse,
            Err(error) => {
                tracing::error!(%error, "sign-in through the identity provider failed");
                SignInError::Failed
            }
        };
        Ok(result(CallbackOutcome::Failed(sign_in_error)))
    }

    fn sign_in_provider(&self) -> Result<&Provider> {
        self.gate.expect_primary()?;
        let provider = self.provider.as_ref().filter(|provider| provider.signs_in());
        provider.ok_or(Error::NotFound("identity provider"))
    }

    fn opened(&self, cookie: &str) -> Option<Pending> {
        let shared = self.gate.shared();
        let opened = shared.keys.open(PURPOSE, &URL_SAFE_NO_PAD.decode(cookie).ok()?).ok()?;
        let pending: Pending = serde_json::from_slice(&opened).ok()?;
        (pending.until > shared.clock.now()).then_some(pending)
    }
}

/// The account of a provider's user.
struct AdmittedUser {
    user_id: i64,
    /// Id of the active organization.
    active: Option<String>,
    /// The access that ended because the account was linked by this assertion.
    ended: EndedAccess,
}

/// Signs in the user of an assertion.
fn sign_in(
    tx: &mut SystemTx<'_>,
    assertion: &Assertion,
    access: EarlierAccess,
    user_agent: Option<&str>,
) -> Result<(NewSession, EndedAccess)> {
    let admitted = admit(tx, assertion, access)?;
    let core = tx.core();
    let lifetime = core.shared.sessions.external.as_ref().map(|external| external.session_lifetime);
    let choice = admitted.active.map_or(OrgChoice::First, OrgChoice::One);
    let ends_at = lifetime.map(|lifetime| core.now + lifetime);
    let begun = sessions::start_until(core, admitted.user_id, &choice, user_agent, ends_at)?;
    Ok((begun, admitted.ended))
}

/// Returns the account of an assertion, after updating it. `access` applies if this links the account.
fn admit(tx: &mut SystemTx<'_>, assertion: &Assertion, access: EarlierAccess) -> Result<AdmittedUser> {
    let (issuer, subject) = (&assertion.issuer, &assertion.subject);
    let known = store::identities::asserted_at(tx.core().conn, issuer, subject)?;
    if assertion.issued < known {
        return outdated(tx, assertion);
    }
    let (user_id, ended) = linking::account(tx.core(), assertion, access)?;
    let active = mirroring::update_memberships(tx, user_id, assertion)?;
    mirroring::administer(tx.core(), user_id, assertion)?;
    if assertion.issued > known {
        store::identities::mark_asserted(tx.core().conn, issuer, subject, assertion.issued)?;
    }
    Ok(AdmittedUser { user_id, active, ended })
}

/// Handles a valid token that is older than a token already processed. It selects an organization, but memberships
/// follow the newer tokens.
fn outdated(tx: &SystemTx<'_>, assertion: &Assertion) -> Result<AdmittedUser> {
    const OUTDATED: Error = Error::Unauthenticated("a newer token has other claims; send that one");
    let user_id = store::identities::user_of(tx.core().conn, &assertion.issuer, &assertion.subject)?.ok_or(OUTDATED)?;
    let active = match assertion.organizations.first() {
        Some(named) => Some(active_organization(tx.core().conn, &named.id, user_id)?.ok_or(OUTDATED)?.id),
        None => mirroring::default_of(tx, user_id)?,
    };
    Ok(AdmittedUser { user_id, active, ended: EndedAccess::default() })
}

fn sign_in_error(error: &ProviderError) -> SignInError {
    match error {
        ProviderError::Unreachable(problem) => {
            tracing::warn!(%problem, "cannot reach the identity provider, or its response is unexpected; check [identity] in the configuration, and \
                 that this server can connect to it");
            SignInError::Unreachable
        }
        ProviderError::Invalid(problem) => {
            tracing::warn!(%problem, "the response of the identity provider failed verification; compare [identity] in the configuration with the \
                 client at the provider");
            SignInError::InvalidResponse
        }
    }
}
