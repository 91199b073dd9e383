//! SQL of the audit log, the overview, sealed secrets and the status of the instance.

pub(super) mod audit;
pub(super) mod audit_objects;
pub(super) mod instance;
pub(super) mod overview;
pub(super) mod sealed;
