//! External links of components: plain addresses, or pages of the wiki.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{access::Written, values::Properties};

/// A link from a component to the outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Never used again, not even after deletion.
    pub id: i64,
    /// The workspace.
    pub workspace_id: String,
    /// The component.
    pub component_id: String,
    /// `url`, `wiki-page` or `wiki-database`.
    pub kind: String,
    /// The address, as it was given.
    pub url: String,
    /// Id of the wiki's page or database.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub target_id: Option<String>,
    /// Title there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub title: Option<String>,
    /// Icon there: an emoji or an address.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// When title and icon were last fetched, Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub fetched_at: Option<i64>,
    /// Free-form.
    pub properties: Properties,
    /// Revision, times and authors.
    #[serde(flatten)]
    pub written: Written,
}
