//! Compact tables of a workspace: a page of rows and the number of rows, read without the rest.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{Reads, ViewTx},
    store,
};
use crate::error::Result;

/// A table of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Part {
    /// What is there.
    Components,
    /// How it relates.
    Relationships,
    /// What happens in it.
    Processes,
    /// Who answers for it.
    Stakeholders,
}

impl Part {
    /// All tables.
    pub const ALL: [Self; 4] = [Self::Components, Self::Relationships, Self::Processes, Self::Stakeholders];

    /// Names of the values of a row.
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Components => &["id", "typeId", "name", "description"],
            Self::Relationships => &["id", "sourceId", "typeId", "targetId", "label"],
            Self::Processes => &["id", "name", "description"],
            Self::Stakeholders => &["componentId", "linkType", "personId", "teamId", "name"],
        }
    }
}

/// The values of a row, in the order of [`Part::columns`].
pub type Row = Vec<Option<String>>;

/// How many rows a table has.
pub fn count(tx: &ViewTx<'_>, part: Part) -> Result<usize> {
    store::tables::count(tx.core().conn, tx.pk(), part)
}

/// At most `limit` rows of a table, from the place `offset` on, in the order of the map.
pub fn rows(tx: &ViewTx<'_>, part: Part, limit: usize, offset: usize) -> Result<Vec<Row>> {
    store::tables::rows(tx.core().conn, tx.pk(), part, limit, offset)
}
