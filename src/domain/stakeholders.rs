//! Stakeholders: people and teams attached to components with a role.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{access::Written, people::PersonCard, values::Properties};

/// A person or a team attached to a component with a role: the link itself. Exactly one of the two is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StakeholderLink {
    /// Never used again, not even after deletion.
    pub id: i64,
    /// The workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// The component.
    #[schema(example = "checkout")]
    pub component_id: String,
    /// The person, if it is one.
    #[schema(required, example = "grace-hopper")]
    pub person_id: Option<String>,
    /// The team, if it is one.
    #[schema(required)]
    pub team_id: Option<String>,
    /// The role, by id.
    #[schema(example = "owner")]
    pub link_type: String,
    /// Free-form.
    pub properties: Properties,
    /// Revision, times and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// A link, and who they are whom it attaches. Its own row has no part in that: they change by themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stakeholder {
    /// The link.
    #[serde(flatten)]
    pub link: StakeholderLink,
    /// The person, expanded.
    #[schema(required)]
    pub person: Option<PersonCard>,
    /// The team, expanded.
    #[schema(required)]
    pub team: Option<StakeholderTeam>,
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
