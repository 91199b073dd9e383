//! Stakeholders: people and teams attached to components with a role.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{EditTx, Reads, Written},
    directory,
    people::{Person, PersonCard},
    roles::Role,
    teams::Team,
    values::Properties,
};
use crate::error::Result;

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

/// What a link needs of the directory that is not there: its kind and id.
pub(super) fn missing(tx: &EditTx<'_>, link: &StakeholderLink) -> Result<Option<(&'static str, String)>> {
    let (core, organization_id) = (tx.core(), tx.workspace().org_id.as_deref().unwrap_or_default());
    if !directory::has::<Role>(core, organization_id, &link.link_type)? {
        return Ok(Some(("role", link.link_type.clone())));
    }
    match (&link.person_id, &link.team_id) {
        (Some(id), _) if !directory::has::<Person>(core, organization_id, id)? => Ok(Some(("person", id.clone()))),
        (_, Some(id)) if !directory::has::<Team>(core, organization_id, id)? => Ok(Some(("team", id.clone()))),
        _ => Ok(None),
    }
}
