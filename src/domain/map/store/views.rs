//! Views.

use rusqlite::{Connection, Row, ToSql, params};

use crate::{
    db::sql::one,
    domain::{
        core::{Entity, Record, RowMetadata, WorkspaceRow, metadata_at},
        map::views::View,
    },
    error::Result,
};

/// Position of the row that follows `view` in the list.
pub(in crate::domain) fn position_after(conn: &Connection, workspace_pk: i64, view: &View) -> Result<Option<i64>> {
    let sql =
        "SELECT position FROM view WHERE workspace_pk = ? AND (position, id) > (?, ?) ORDER BY position, id LIMIT 1";
    one(conn, sql, params![workspace_pk, view.position, view.id], |row| row.get(0))
}

impl Record for View {
    const ENTITY: Entity = Entity::View;
    const COLUMNS: &'static [&'static str] = &["name", "description", "position", "definition", "layout"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![&self.id, &self.name, &self.description, &self.position, &self.definition, &self.layout]
    }

    fn key(&self) -> String {
        self.id.clone()
    }

    fn list_position(&self) -> Option<i64> {
        Some(self.position)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}

impl WorkspaceRow for View {
    const LIST: &'static str = "views";
    const ORDER: &'static str = "position, id";

    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            description: row.get(2)?,
            position: row.get(3)?,
            definition: row.get(4)?,
            layout: row.get(5)?,
            workspace_id: workspace_id.to_owned(),
            metadata: metadata_at(row, 6)?,
        })
    }
}
