//! Compact tables of a workspace.

use serde::{Deserialize, Serialize};

use crate::describe::ToSchema;

/// A table of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Part {
    /// Components.
    Components,
    /// Relationships except containment, which is the column `parent` of the components.
    Relationships,
    /// Processes.
    Processes,
    /// Stakeholders.
    Stakeholders,
    /// Notes, frames and images.
    Notes,
}

impl Part {
    /// All tables.
    pub const ALL: [Self; 5] =
        [Self::Components, Self::Relationships, Self::Processes, Self::Stakeholders, Self::Notes];

    /// Column names of a row.
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Components => &["id", "typeId", "name", "parent", "lifecycle", "owners", "kind", "description"],
            Self::Relationships => &["id", "sourceId", "typeId", "targetId", "label"],
            Self::Processes => &["id", "name", "description"],
            Self::Notes => &["id", "kind", "text"],
            Self::Stakeholders => &["componentId", "linkType", "personId", "teamId", "name"],
        }
    }
}

/// Values of a row, in the order of [`Part::columns`].
pub type Row = Vec<Option<String>>;
