//! Teams.

use serde::{Deserialize, Serialize};

use super::team_members::TeamMember;
use crate::{
    describe::ToSchema,
    domain::{
        core::RowMetadata,
        input::{Input, objects, stamped},
        values::{Id, Name, Properties, Text},
    },
};

/// A team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Team {
    /// Position in creation order.
    #[serde(skip)]
    pub seq: i64,
    /// Id, unique in the organization.
    #[schema(example = "payments")]
    pub id: String,
    /// Id of the organization.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Name.
    #[schema(example = "Payments")]
    pub name: String,
    /// Description; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Free-form properties.
    pub properties: Properties,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// Fields of a new team.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewTeam {
    /// Default: derived from the name.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// If given, must be the id of the active organization.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// Fields of a team to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct TeamPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Description; `""` clears it.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Free-form properties; replaces all existing ones.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

objects!(NewTeam, TeamPatch);

impl Input for NewTeam {
    const READ_ONLY: &'static [&'static str] = ROW;
}

impl Input for TeamPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}

/// Fields of a team in responses that a client cannot write.
pub(in crate::domain) const ROW: &[&str] = stamped!("" []);

/// A team with its members.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TeamDetails {
    /// The team.
    pub team: Team,
    /// Members of the team, in the order in which they were added.
    pub members: Vec<TeamMember>,
}
