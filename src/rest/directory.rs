//! Query parameters of the routes for people, teams, and roles.

use serde::Deserialize;

use crate::describe::IntoParams;

/// Selects an organization if several have a resource with the same id.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OrganizationQuery {
    /// Organization id. For instance administrators without an active organization, if the id in the path exists in
    /// several organizations.
    pub org_id: Option<String>,
}

/// Whether to delete a resource that is in use.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ForceQuery {
    /// Also delete the stakeholder links that use the resource. Default: `false`.
    #[serde(default)]
    pub force: bool,
}
