//! The services that tools use.

use crate::domain::{core::Gate, wiki::Wiki};

/// The services that tools use.
#[derive(Debug, Clone)]
pub struct Services {
    /// Access to data.
    pub gate: Gate,
    /// Access to the wiki.
    pub wiki: Wiki,
}

impl From<&Services> for Gate {
    fn from(services: &Services) -> Self {
        services.gate.clone()
    }
}

impl From<&Services> for Wiki {
    fn from(services: &Services) -> Self {
        services.wiki.clone()
    }
}
