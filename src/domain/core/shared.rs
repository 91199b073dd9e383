//! The state shared by all transactions of an instance.

use std::sync::Arc;

use super::{change::Observer, quotas::Bounds, search_later::PostponedDocuments};
use crate::{
    auth::keys::Keys,
    clock::Clock,
    db::Incarnation,
    settings::{Fixed, Quotas},
};

/// The state shared by all transactions.
#[derive(Debug)]
pub(in crate::domain) struct Shared {
    pub(in crate::domain) keys: Arc<Keys>,
    pub(in crate::domain) clock: Clock,
    /// Identifier of the database's incarnation.
    pub(in crate::domain) incarnation: Incarnation,
    /// Caches and event streams.
    pub(super) observers: Vec<Arc<dyn Observer>>,
    pub(in crate::domain) sessions: SessionSettings,
    /// Settings fixed by the configuration.
    pub(in crate::domain) settings: Vec<Fixed>,
    pub(in crate::domain) quotas: Quotas,
    /// Upper bounds of row counts, for quota checks.
    pub(super) bounds: Bounds,
    /// Documents of large writes, which are indexed after their commit.
    pub(super) postponed_documents: PostponedDocuments,
}

/// Settings for issuing sessions.
#[derive(Debug, Clone)]
pub struct SessionSettings {
    /// `iss` claim of session JWTs: the public URL.
    pub issuer: String,
    /// Lifetime of a session JWT in milliseconds, at most one hour.
    pub token_lifetime: i64,
    /// The external identity provider, if configured.
    pub external: Option<ExternalSettings>,
    /// Whether this instance sends emails, such as links for forgotten passwords.
    pub sends_mail: bool,
    /// Redirect URIs of native apps that OAuth clients may register, compared exactly.
    pub native_redirects: Vec<String>,
}

/// Settings for users of the external identity provider.
#[derive(Debug, Clone)]
pub struct ExternalSettings {
    /// Display name of the provider.
    pub name: String,
    /// Whether users can sign in with the provider, rather than only use its tokens.
    pub signs_in: bool,
    /// Whether password sign-in is disabled.
    pub sso_only: bool,
    /// Maximum time until users must sign in with the provider again, in milliseconds.
    pub session_lifetime: i64,
    /// Slug of the organization that users of the provider join.
    pub default_org: Option<String>,
    /// Groups whose members join the default organization. If empty, all users join.
    pub groups: Vec<String>,
    /// Groups whose members are admins of the default organization. If empty, admins are appointed in Planroom.
    pub admin_groups: Vec<String>,
    /// Groups whose members are instance administrators. If empty, administrators are appointed in Planroom.
    pub instance_admin_groups: Vec<String>,
}

impl SessionSettings {
    /// Whether password sign-in is disabled.
    pub(in crate::domain) fn sso_only(&self) -> bool {
        self.external.as_ref().is_some_and(|external| external.sso_only)
    }
}
