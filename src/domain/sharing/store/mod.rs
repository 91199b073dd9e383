//! SQL for share links.

pub(super) mod links;
pub(super) mod rules;
pub(super) mod targets;
