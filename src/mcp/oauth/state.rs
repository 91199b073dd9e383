//! The state of the authorization server.

use std::sync::Arc;

use crate::{
    auth::throttle::{Attempt, AttemptKind, LimitKey, Throttle},
    bodies::Bodies,
    domain::{accounts::sign_in::Visitor, core::Gate},
    error::Result,
};

/// The state of the handlers.
#[derive(Debug, Clone)]
pub struct OAuth {
    /// Access to data.
    pub gate: Gate,
    /// Limits the rate of requests.
    pub throttle: Arc<Throttle>,
    /// Reads request bodies.
    pub bodies: Bodies,
    /// The public URL, without a trailing slash.
    pub issuer: Arc<str>,
}

impl OAuth {
    /// Counts an attempt of a visitor.
    pub(super) fn attempt(&self, kind: AttemptKind, visitor: &Visitor) -> Result<Attempt<'_>> {
        self.throttle.attempt(kind, [LimitKey::address(visitor.address)])
    }
}
