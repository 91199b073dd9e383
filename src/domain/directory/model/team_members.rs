//! Members of teams.

use serde::{Deserialize, Serialize};

use super::people::PersonCard;
use crate::{
    describe::ToSchema,
    domain::{
        core::RowMetadata,
        input::{Input, objects},
        values::TeamRole,
    },
};

/// A person's membership in a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Membership {
    /// Id of the team.
    pub team_id: String,
    /// Id of the person.
    pub person_id: String,
    /// Role of the person in the team.
    pub role: TeamRole,
    /// Revision, and when and by whom the member was added.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// A member of a team, with the person expanded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMember {
    /// Id of the team.
    #[schema(example = "payments")]
    pub team_id: String,
    /// Id of the person.
    #[schema(example = "grace-hopper")]
    pub person_id: String,
    /// Role of the person in the team.
    pub role: TeamRole,
    /// Directory revision at the last write of this member; the value for `If-Match`.
    pub revision: i64,
    /// Time when the member was added, in Unix milliseconds.
    pub added_at: i64,
    /// Id of the user who added the member; null if the system did.
    #[schema(required)]
    pub added_by: Option<i64>,
    /// The person.
    pub person: PersonCard,
}

/// A team member to add.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewTeamMember {
    /// If given, must be the team id in the path.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// Id of a person in the organization.
    #[schema(example = "grace-hopper")]
    pub person_id: String,
    /// Role in the team. Default: `member`.
    #[schema(nullable = false)]
    pub role: Option<TeamRole>,
}

/// Fields of a team member to update.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct TeamMemberPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub person_id: Option<String>,
    /// The new role in the team.
    pub role: TeamRole,
}

objects!(NewTeamMember, TeamMemberPatch);

impl Input for NewTeamMember {
    const READ_ONLY: &'static [&'static str] = ROW;
}

impl Input for TeamMemberPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}

/// Fields of a membership in responses that a client cannot write.
pub(in crate::domain) const ROW: &[&str] = &["revision", "addedAt", "addedBy", "person"];
