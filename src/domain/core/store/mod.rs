//! SQL for every request: callers and their permissions, revisions, the change log, the search index, idempotency keys
//! and audit events.

pub(in crate::domain) mod access_requests;
pub(in crate::domain) mod audit;
pub(in crate::domain) mod callers;
pub(super) mod changes;
pub(super) mod documents;
pub(in crate::domain) mod drafts;
pub(in crate::domain) mod idempotency;
pub(in crate::domain) mod rows;
pub(in crate::domain) mod scopes;
pub(in crate::domain) mod share_links;
pub(super) mod usage;
pub(super) mod webhooks;
pub(in crate::domain) mod weights;
