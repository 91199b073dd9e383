//! Requests and responses of synchronization.

pub(in crate::domain) mod claims;
pub(in crate::domain) mod decisions;
pub(in crate::domain) mod drift;
pub(in crate::domain) mod kinds;
pub(in crate::domain) mod reading;
pub(in crate::domain) mod readings;
pub(in crate::domain) mod report;
pub(in crate::domain) mod request;
