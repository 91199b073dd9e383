//! Stakeholders: the people and teams of a component, each with a role.

use serde::{Deserialize, Serialize};

use super::people::PersonCard;
use crate::{
    describe::ToSchema,
    domain::{core::RowMetadata, values::Properties},
};

/// A link of a person or a team to a component, with a role. Exactly one of `personId` and `teamId` is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StakeholderLink {
    /// Id; never reused, even after deletion.
    pub id: i64,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Id of the component.
    #[schema(example = "checkout")]
    pub component_id: String,
    /// Id of the person, if the stakeholder is a person.
    #[schema(required, example = "grace-hopper")]
    pub person_id: Option<String>,
    /// Id of the team, if the stakeholder is a team.
    #[schema(required)]
    pub team_id: Option<String>,
    /// Id of the role.
    #[schema(example = "owner")]
    pub link_type: String,
    /// Free-form properties.
    pub properties: Properties,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// A stakeholder link with its person or team expanded. The stored row contains only the link: the person or team
/// changes independently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stakeholder {
    /// The stored link.
    #[serde(flatten)]
    pub link: StakeholderLink,
    /// The person, if the stakeholder is a person.
    #[schema(required)]
    pub person: Option<PersonCard>,
    /// The team, if the stakeholder is a team.
    #[schema(required)]
    pub team: Option<StakeholderTeam>,
}

impl Stakeholder {
    /// Name of the person or team.
    pub fn name(&self) -> &str {
        let person = self.person.as_ref().map(|person| person.name.as_str());
        person.or(self.team.as_ref().map(|team| team.name.as_str())).unwrap_or_default()
    }
}

/// A team as embedded in a stakeholder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StakeholderTeam {
    /// Team id.
    pub id: String,
    /// Name.
    pub name: String,
}
