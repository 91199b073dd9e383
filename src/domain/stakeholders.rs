//! Stakeholders: people and teams attached to components with a role.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{access::{EditTx, Reads, Written}, values::Properties};
use crate::error::Result;


/// A person or a team attached to a component with a role. Exactly one of `personId` and `teamId` is set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stakeholder {
    /// Never used again, not even after deletion.
    pub id: i64,
    /// The workspace.
    pub workspace_id: String,
    /// The component.
    pub component_id: String,
    /// The person, if it is one.
    #[schema(required)]
    pub person_id: Option<String>,
    /// The team, if it is one.
    #[schema(required)]
    pub team_id: Option<String>,
    /// The role, by id.
    pub link_type: String,
    /// Free-form.
    pub properties: Properties,
    /// The person, expanded.
    #[schema(required)]
    pub person: Option<StakeholderPerson>,
    /// The team, expanded.
    #[schema(required)]
    pub team: Option<StakeholderTeam>,
    /// Revision, times and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// A person as a stakeholder shows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StakeholderPerson {
    /// Person id.
    pub id: String,
    /// Name.
    pub name: String,
    /// E-mail address.
    #[schema(required)]
    pub email: Option<String>,
    /// Address of a photograph.
    #[schema(required)]
    pub photo_url: Option<String>,
    /// What they are in the organization.
    #[schema(required)]
    pub title: Option<String>,
}

/// A team as a stakeholder shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StakeholderTeam {
    /// Team id.
    pub id: String,
    /// Name.
    pub name: String,
}

/// What a stakeholder needs of the directory that is not there: its kind and id.
pub(super) fn missing(_tx: &EditTx<'_>, _link: &Stakeholder) -> Result<Option<(&'static str, String)>> {
    Ok(None)
}
