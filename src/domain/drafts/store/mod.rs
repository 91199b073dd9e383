//! SQL of drafts.

pub(in crate::domain) mod copy;
pub(in crate::domain) mod drafts;
pub(in crate::domain) mod reviews;
pub(in crate::domain) mod rows;
pub(in crate::domain) mod sources;
