//! What all transactions of an instance share.

use std::sync::Arc;

use crate::{
    auth::keys::Keys,
    clock::Clock,
    domain::{bundle::Bundles, live::Live, settings::Fixed},
};

/// What all transactions share.
#[derive(Debug)]
pub(in crate::domain) struct Shared {
    pub(in crate::domain) keys: Arc<Keys>,
    pub(in crate::domain) clock: Clock,
    pub(in crate::domain) bundles: Bundles,
    pub(in crate::domain) live: Arc<Live>,
    pub(in crate::domain) sessions: SessionSettings,
    /// What the configuration decides.
    pub(in crate::domain) settings: Vec<Fixed>,
}

/// How sessions are issued.
#[derive(Debug, Clone)]
pub struct SessionSettings {
    /// The `iss` of their JWTs: the public URL.
    pub issuer: String,
    /// How long a JWT is good for, in milliseconds; at most an hour.
    pub token_lifetime: i64,
}
