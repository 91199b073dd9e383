//! Requests that write stakeholders.

use serde::Deserialize;

use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, objects, stamped},
        values::Properties,
    },
};

/// Fields of a new stakeholder. Exactly one of `personId` and `teamId` is required.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewStakeholder {
    /// If given, must be the component id in the path.
    #[schema(nullable = false)]
    pub component_id: Option<String>,
    /// Id of a person in the organization.
    #[schema(nullable = false, example = "grace-hopper")]
    pub person_id: Option<String>,
    /// Id of a team in the organization.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// Id of a role in the organization.
    #[schema(example = "owner")]
    pub link_type: String,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// Fields of a stakeholder to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct StakeholderPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<i64>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub component_id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub person_id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// Id of a role in the organization.
    #[schema(nullable = false, example = "support")]
    pub link_type: Option<String>,
    /// Free-form properties; replaces all existing ones.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

objects!(NewStakeholder, StakeholderPatch);

impl Input for NewStakeholder {
    const READ_ONLY: &'static [&'static str] = stamped!("" ["id", "workspaceId", "person", "team"]);
}

impl Input for StakeholderPatch {
    const READ_ONLY: &'static [&'static str] = stamped!("" ["workspaceId", "person", "team"]);
}
