//! Links between external identities and accounts.

use serde::{Deserialize, Serialize};

use crate::{auth::oidc::Assertion, domain::values::words};

/// The value that a browser stores until sign-out.
#[derive(Debug)]
pub struct SignOutHint {
    /// The sealed ID token; empty if it is too long, which replaces the value of an earlier session.
    pub cookie: String,
    /// Lifetime in milliseconds: the maximum lifetime of the session, or 0 if there is no value.
    pub lifetime: i64,
}

/// The access that ended when an account was linked, so that only the provider's user can access the account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EndedAccess {
    /// Whether a password was removed.
    pub password: bool,
    /// Whether two-factor authentication was removed.
    pub second_factor: bool,
    /// Number of sessions that ended.
    pub sessions: usize,
    /// Number of personal access tokens that were revoked.
    pub tokens: usize,
    /// Number of grants of connected apps that were revoked.
    pub grants: usize,
}

impl EndedAccess {
    /// The kinds of access that ended.
    pub fn kinds(self) -> Vec<AccessKind> {
        let kinds = [
            (AccessKind::Password, self.password),
            (AccessKind::SecondFactor, self.second_factor),
            (AccessKind::Sessions, self.sessions > 0),
            (AccessKind::Tokens, self.tokens > 0),
            (AccessKind::Connectors, self.grants > 0),
        ];
        kinds.into_iter().filter(|(_, ended)| *ended).map(|(kind, _)| kind).collect()
    }
}

words! {
    /// What happens to the password, sessions, tokens and connected apps of an account that is linked.
    EarlierAccess {
        /// Earlier access is preserved. Only for callers who have entered the account's password.
        Keep = "keep",
        /// Earlier access ends.
        End = "end",
    }
}

words! {
    /// A way to access an account.
    AccessKind {
        /// The password.
        Password = "password",
        /// Two-factor authentication.
        SecondFactor = "second-factor",
        /// Sessions.
        Sessions = "sessions",
        /// Personal access tokens.
        Tokens = "tokens",
        /// Connected apps.
        Connectors = "connectors",
    }
}

/// A pending link as the browser stores it, sealed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UndecidedLink {
    pub(super) id: String,
    pub(super) user_id: i64,
    /// Fingerprint of the password hash: a changed password voids the link.
    pub(super) password: String,
    pub(super) assertion: Assertion,
    /// Unix milliseconds.
    pub(super) until: i64,
}
