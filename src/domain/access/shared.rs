//! What all transactions of an instance share.

use std::sync::Arc;

use super::{change::Observer, quotas::Bounds};
use crate::{
    auth::keys::Keys,
    clock::Clock,
    db::Incarnation,
    settings::{Fixed, Quotas},
};

/// What all transactions share.
#[derive(Debug)]
pub(in crate::domain) struct Shared {
    pub(in crate::domain) keys: Arc<Keys>,
    pub(in crate::domain) clock: Clock,
    /// Which history of the database this is.
    pub(in crate::domain) incarnation: Incarnation,
    /// Caches and event streams.
    pub(super) observers: Vec<Arc<dyn Observer>>,
    pub(in crate::domain) sessions: SessionSettings,
    /// What the configuration decides.
    pub(in crate::domain) settings: Vec<Fixed>,
    pub(in crate::domain) quotas: Quotas,
    /// What is known of how far the quotas are used.
    pub(super) bounds: Bounds,
}

/// How sessions are issued.
#[derive(Debug, Clone)]
pub struct SessionSettings {
    /// The `iss` of their JWTs: the public URL.
    pub issuer: String,
    /// How long a JWT is good for, in milliseconds; at most an hour.
    pub token_lifetime: i64,
    /// The identity provider outside, if there is one.
    pub external: Option<External>,
    /// Redirect addresses of native apps that OAuth clients may register, exactly.
    pub native_redirects: Vec<String>,
}

/// What is done with those whom the identity provider outside knows.
#[derive(Debug, Clone)]
pub struct External {
    /// What people call the provider.
    pub name: String,
    /// Whether one can sign in there, and not only show its tokens.
    pub signs_in: bool,
    /// Whether passwords are refused.
    pub sso_only: bool,
    /// Longest time until one signs in there again, in milliseconds.
    pub session_lifetime: i64,
    /// Slug of the organization that its people are members of.
    pub default_org: Option<String>,
    /// Groups of which one makes a member of it; none: everybody is one.
    pub groups: Vec<String>,
    /// Groups of which one makes an admin of it; none: admins are made here.
    pub admin_groups: Vec<String>,
    /// Groups of which one makes an administrator of the instance; none: those are made here.
    pub instance_admin_groups: Vec<String>,
}

impl SessionSettings {
    /// Whether passwords are refused.
    pub(in crate::domain) fn sso_only(&self) -> bool {
        self.external.as_ref().is_some_and(|external| external.sso_only)
    }
}
