//! What the routes of an organization's directory take behind the `?`.

use serde::Deserialize;
use utoipa::IntoParams;

/// Whose, when it could be several organizations'.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct InOrganization {
    /// For instance administrators with no organization active, who may meet the same id in several: which one's.
    pub org_id: Option<String>,
}

/// Whether to delete what is in use.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Force {
    /// Delete the stakeholder links that use it too.
    #[serde(default)]
    pub force: bool,
}
