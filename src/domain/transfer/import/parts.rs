//! The parts of a document to import.

use serde::{Deserialize, Serialize};

use crate::{describe::ToSchema, domain::map::bulk::IdsByKind};

/// Row ids, grouped by kind. Stakeholders and links are listed by the id of their component, because their own ids are
/// not part of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedRows {
    /// The workspace and its model.
    #[serde(flatten)]
    pub model: IdsByKind,
    /// Ids of the components whose stakeholders are affected, once per stakeholder.
    pub stakeholders: Vec<String>,
    /// Ids of the components whose links are affected, once per link.
    pub links: Vec<String>,
    /// Process ids.
    pub processes: Vec<String>,
    /// Note ids.
    #[serde(default)]
    #[schema(required)]
    pub notes: Vec<String>,
    /// View ids.
    #[serde(default)]
    #[schema(required)]
    pub views: Vec<String>,
    /// Positions in views: view id and component id, with a slash between them.
    #[serde(default)]
    #[schema(required)]
    pub view_places: Vec<String>,
    /// Lines in views: view id and relationship id, with a slash between them.
    #[serde(default)]
    #[schema(required)]
    pub view_lines: Vec<String>,
    /// Tour ids.
    #[serde(default)]
    #[schema(required)]
    pub tours: Vec<String>,
    /// Decision ids.
    #[serde(default)]
    #[schema(required)]
    pub decisions: Vec<String>,
    /// Ids of threads of comments.
    #[serde(default)]
    #[schema(required)]
    pub threads: Vec<String>,
    /// Person ids.
    pub people: Vec<String>,
    /// Team ids.
    pub teams: Vec<String>,
    /// Role ids.
    pub roles: Vec<String>,
    /// Kind ids.
    #[serde(default)]
    #[schema(required)]
    pub kinds: Vec<String>,
}
