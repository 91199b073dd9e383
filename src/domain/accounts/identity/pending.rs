//! Pending links between existing accounts and the identity provider.
//!
//! A provider vouches for an email address, and the account with that address has a password. Before the two are
//! linked, the owner decides whether earlier access ends. The assertion is stored sealed in the browser, so the server
//! stores nothing for decisions that are never made. A link is made at most once: a second attempt finds the identity
//! already linked.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

pub use super::model::{AccessKind, UndecidedLink};
use super::{
    IdentityService,
    linking::{self, EarlierAccess, EndedAccess},
    mirroring, sign_in,
};
use crate::{
    auth::{keys::random, oidc::Assertion, tokens},
    clock::MINUTE,
    describe::ToSchema,
    domain::{
        accounts::{sessions::NewSession, store, two_factor},
        core::{Core, Reads, SystemTx},
        users::{self, User},
    },
    error::{Error, Result},
};

/// Time to decide, in milliseconds.
pub const DECISION_TIME: i64 = 10 * MINUTE;
/// Maximum length of a sealed link. Browsers reject cookies over 4 KiB, names and attributes included.
const MAX_SEALED: usize = 3_500;
/// Purpose of the seal.
const PURPOSE: &str = "oidc-link";

const NOT_FOUND: Error = Error::NotFound("pending account link");

/// An account that is about to be linked to the identity provider.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PendingLink {
    /// Id of the pending link; send it back with the decision.
    #[schema(example = "k3J0mXw2Z1qYb7Tt")]
    pub id: String,
    /// Deadline for the decision, Unix milliseconds.
    pub expires_at: i64,
    /// Login of the account.
    #[schema(example = "ada")]
    pub login: String,
    /// Display name of the account.
    pub display_name: String,
    /// Verified email address that matched the account.
    #[schema(example = "ada@example.org")]
    pub email: String,
    /// Whether keeping earlier access requires a two-factor authentication code in addition to the password.
    pub needs_code: bool,
    /// Earlier access that ends unless the user decides to keep it.
    pub ends: Vec<AccessKind>,
}

impl UndecidedLink {
    /// Seals a pending link for an assertion. None if the assertion can take effect at once: its identity is known, it
    /// matches no account, or the account has no password.
    pub(super) fn seal(core: &Core<'_>, assertion: &Assertion) -> Result<Option<String>> {
        if store::identities::user_of(core.conn, &assertion.issuer, &assertion.subject)?.is_some() {
            return Ok(None);
        }
        let Some(user_id) = linking::linkable(core, assertion)? else { return Ok(None) };
        let Some(hash) = users::password_hash(core.conn, user_id)? else { return Ok(None) };
        active_user(core, user_id)?;
        let mut assertion = assertion.clone();
        mirroring::retain_relevant_groups(core, &mut assertion);
        let mut pending = Self {
            id: URL_SAFE_NO_PAD.encode(random::<12>()),
            user_id,
            password: fingerprint(&hash),
            assertion,
            until: core.now + DECISION_TIME,
        };
        let mut sealed = pending.sealed(core)?;
        if sealed.len() > MAX_SEALED {
            // The omitted organizations and groups are read again at the next sign-in.
            pending.assertion.organizations.truncate(1);
            pending.assertion.all_organizations = false;
            pending.assertion.groups = None;
            sealed = pending.sealed(core)?;
        }
        Ok(Some(sealed))
    }

    fn sealed(&self, core: &Core<'_>) -> Result<String> {
        Ok(URL_SAFE_NO_PAD.encode(core.shared.keys.seal(PURPOSE, &serde_json::to_vec(self)?)?))
    }

    /// Id of the link.
    pub(in crate::domain) fn id(&self) -> &str {
        &self.id
    }

    /// Id of the account.
    pub(in crate::domain) fn user_id(&self) -> i64 {
        self.user_id
    }

    /// The account to be linked. Fails if the account has changed since the provider made the assertion.
    pub(in crate::domain) fn account(&self, core: &Core<'_>) -> Result<User> {
        let changed = || {
            let text = "the account changed while you were deciding; sign in with the identity provider again";
            Error::Conflict(text.into())
        };
        let user = active_user(core, self.user_id)?;
        let (issuer, subject) = (&self.assertion.issuer, &self.assertion.subject);
        let is_linked = store::identities::user_of(core.conn, issuer, subject)?.is_some();
        let hash = users::password_hash(core.conn, self.user_id)?;
        let same_password = hash.is_some_and(|hash| fingerprint(&hash) == self.password);
        if is_linked || !same_password || linking::linkable(core, &self.assertion)? != Some(self.user_id) {
            return Err(changed());
        }
        Ok(user)
    }

    /// Links the account and begins a session.
    pub(in crate::domain) fn link(
        &self,
        tx: &mut SystemTx<'_>,
        access: EarlierAccess,
        user_agent: Option<&str>,
    ) -> Result<(NewSession, EndedAccess)> {
        self.account(tx.core())?;
        sign_in(tx, &self.assertion, access, user_agent)
    }
}

impl IdentityService {
    /// Opens a pending link that a browser has stored.
    pub fn pending_link(&self, sealed: Option<&str>) -> Result<UndecidedLink> {
        self.sign_in_provider()?;
        let shared = self.gate.shared();
        let opened = sealed.and_then(|sealed| URL_SAFE_NO_PAD.decode(sealed).ok());
        let opened = opened.and_then(|sealed| shared.keys.open(PURPOSE, &sealed).ok());
        let pending = opened.and_then(|opened| serde_json::from_slice::<UndecidedLink>(&opened).ok());
        pending.filter(|pending| pending.until > shared.clock.now()).ok_or(NOT_FOUND)
    }

    /// Describes a pending link.
    pub async fn describe_link(&self, pending: UndecidedLink) -> Result<PendingLink> {
        self.gate
            .aside_view(move |tx| {
                let core = tx.core();
                let user = pending.account(core).map_err(|error| match error {
                    Error::Conflict(_) | Error::Suspended => NOT_FOUND,
                    other => other,
                })?;
                Ok(PendingLink {
                    expires_at: pending.until,
                    login: user.login,
                    display_name: user.display_name,
                    email: user.email.unwrap_or_default(),
                    needs_code: two_factor::is_due(core, pending.user_id)?,
                    ends: linking::earlier_access(core, pending.user_id)?.kinds(),
                    id: pending.id,
                })
            })
            .await
    }
}

fn active_user(core: &Core<'_>, user_id: i64) -> Result<User> {
    let user = users::by_id(core.conn, user_id)?.ok_or(NOT_FOUND)?;
    if user.is_suspended { Err(Error::Suspended) } else { Ok(user) }
}

fn fingerprint(hash: &str) -> String {
    URL_SAFE_NO_PAD.encode(&tokens::hash(hash)[..16])
}
