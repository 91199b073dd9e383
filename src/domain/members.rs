//! Members of a workspace: users who were given an access level in it.

use serde::Serialize;

use super::{access::Written, values::AccessLevel};

/// A user's membership in a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// The user.
    pub user_id: i64,
    /// What they may do.
    pub role: AccessLevel,
    /// Since when, and by whom.
    #[serde(flatten)]
    pub written: Written,
}

impl Member {
    /// A membership to be written.
    pub(in crate::domain) fn new(user_id: i64, role: AccessLevel) -> Self {
        Self { user_id, role, written: Written::default() }
    }
}
