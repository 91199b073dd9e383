//! Members of an organization.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, objects},
        users::model::Profile,
        values::OrgRole,
    },
};

/// A member of an organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrgMember {
    /// User id.
    pub user_id: i64,
    /// Organization id.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Role in the organization.
    pub role: OrgRole,
    /// Time at which the user joined, in Unix milliseconds.
    pub joined_at: i64,
    /// Whether the account is suspended.
    pub is_suspended: bool,
    /// Profile of the user.
    pub user: Profile,
}

/// Membership fields to update.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct OrgMemberPatch {
    /// Cannot be changed; accepted if equal to the current id.
    #[schema(nullable = false)]
    pub user_id: Option<i64>,
    /// New role in the organization.
    pub role: OrgRole,
}

objects!(OrgMemberPatch);

impl Input for OrgMemberPatch {
    const READ_ONLY: &'static [&'static str] = &["orgId", "joinedAt", "isSuspended", "user"];
}
