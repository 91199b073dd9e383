//! How relationships are drawn in views.

use rusqlite::{Connection, Row, ToSql};

use crate::{
    domain::{
        core::{Entity, Record, RowMetadata, WorkspaceKey, WorkspaceRow, list_rows_by, metadata_at},
        map::views::ViewLine,
    },
    error::Result,
};

/// The rows of a view.
pub(in crate::domain) fn of_view(conn: &Connection, of: &WorkspaceKey<'_>, view_id: &str) -> Result<Vec<ViewLine>> {
    list_rows_by(conn, of, "view_id", view_id)
}

/// The rows of a relationship.
pub(in crate::domain) fn of_relationship(conn: &Connection, of: &WorkspaceKey<'_>, id: &str) -> Result<Vec<ViewLine>> {
    list_rows_by(conn, of, "relationship_id", id)
}

impl Record for ViewLine {
    const ENTITY: Entity = Entity::ViewLine;
    const KEY: &'static [&'static str] = &["view_id", "relationship_id"];
    const COLUMNS: &'static [&'static str] = &["line"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![&self.view_id, &self.relationship_id, &self.line]
    }

    fn key(&self) -> String {
        Self::key_of(&self.view_id, &self.relationship_id)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}

impl WorkspaceRow for ViewLine {
    const LIST: &'static str = "view_lines";
    const ORDER: &'static str = "view_id || '/' || relationship_id";

    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self> {
        Ok(Self {
            view_id: row.get(0)?,
            relationship_id: row.get(1)?,
            line: row.get(2)?,
            workspace_id: workspace_id.to_owned(),
            metadata: metadata_at(row, 3)?,
        })
    }
}
