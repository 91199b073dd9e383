//! Members of a workspace.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        core::RowMetadata,
        input::{Input, objects},
        users::model::Profile,
        values::AccessLevel,
    },
};

/// A user's membership in a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// User id.
    pub user_id: i64,
    /// Access level.
    pub role: AccessLevel,
    /// Revision, timestamps and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

impl Member {
    /// A membership that is not stored yet.
    pub(in crate::domain) fn new(user_id: i64, role: AccessLevel) -> Self {
        Self { user_id, role, metadata: RowMetadata::default() }
    }
}

/// A member of a workspace, with the user's profile.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedMember {
    /// User id.
    pub user_id: i64,
    /// Workspace id.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Access level in the workspace.
    pub role: AccessLevel,
    /// Workspace revision of the last change to this membership; send it in `If-Match`.
    pub revision: i64,
    /// Time at which the member was added, in Unix milliseconds.
    pub added_at: i64,
    /// User id of the user who added the member; null for the system.
    #[schema(required)]
    pub added_by: Option<i64>,
    /// Profile of the user.
    pub user: Profile,
}

/// A member to add to a workspace, or to update.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewMember {
    /// User id of a member of the organization.
    pub user_id: i64,
    /// Access level in the workspace; defaults to `viewer`.
    #[schema(nullable = false)]
    pub role: Option<AccessLevel>,
}

/// Membership fields to update.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct MemberPatch {
    /// Cannot be changed; accepted if equal to the current id.
    #[schema(nullable = false)]
    pub user_id: Option<i64>,
    /// New access level in the workspace.
    pub role: AccessLevel,
}

objects!(NewMember, MemberPatch);

impl Input for NewMember {
    const READ_ONLY: &'static [&'static str] = ROW;
}

impl Input for MemberPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}

/// Read-only fields of a membership.
pub(in crate::domain) const ROW: &[&str] = &["workspaceId", "revision", "addedAt", "addedBy", "user"];
