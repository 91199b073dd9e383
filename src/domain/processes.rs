//! Processes: mermaid sequence diagrams, played over the map.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{access::Written, values::Properties};

/// A process: the text of a sequence diagram, and which component each of its participants is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Process {
    /// Place in the order of creation.
    #[serde(skip)]
    pub seq: i64,
    /// Kebab-case, unique in the workspace.
    pub id: String,
    /// The workspace.
    pub workspace_id: String,
    /// Name.
    pub name: String,
    /// Description; absent when it was never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// The text of the diagram.
    pub mermaid: String,
    /// Participant alias to component id.
    pub participants: Properties,
    /// Revision, times and authors.
    #[serde(flatten)]
    pub written: Written,
}
