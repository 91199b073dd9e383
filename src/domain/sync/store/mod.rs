//! SQL of sources and claims.

pub(in crate::domain) mod claims;
pub(in crate::domain) mod sources;
pub(in crate::domain) mod stale;
