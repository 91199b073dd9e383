//! The state of the authorization server.

use std::sync::Arc;

use crate::{
    auth::throttle::{Attempt, Kind, Throttle, Who},
    bodies::Bodies,
    domain::{access::Gate, sign_in::Visitor},
    error::Result,
};

/// What handlers have at hand.
#[derive(Debug, Clone)]
pub struct OAuth {
    /// The way to data.
    pub gate: Gate,
    /// Counts what must not be tried too often.
    pub throttle: Arc<Throttle>,
    /// What reads bodies.
    pub bodies: Bodies,
    /// Where browsers and clients reach this instance, without a slash at its end.
    pub issuer: Arc<str>,
}

impl OAuth {
    /// Counts what somebody tries.
    pub(super) fn attempt(&self, kind: Kind, visitor: &Visitor) -> Result<Attempt<'_>> {
        self.throttle.attempt(kind, [Who::address(visitor.address)])
    }
}
