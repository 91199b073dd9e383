//! Positions of components in views.

use rusqlite::{Connection, Row, ToSql};

use crate::{
    domain::{
        core::{Entity, Record, RowMetadata, WorkspaceKey, WorkspaceRow, list_rows_by, metadata_at},
        map::views::ViewPlace,
    },
    error::Result,
};

/// The rows of a view.
pub(in crate::domain) fn of_view(conn: &Connection, of: &WorkspaceKey<'_>, view_id: &str) -> Result<Vec<ViewPlace>> {
    list_rows_by(conn, of, "view_id", view_id)
}

/// The rows of a component.
pub(in crate::domain) fn of_component(conn: &Connection, of: &WorkspaceKey<'_>, id: &str) -> Result<Vec<ViewPlace>> {
    list_rows_by(conn, of, "component_id", id)
}

impl Record for ViewPlace {
    const ENTITY: Entity = Entity::ViewPlace;
    const KEY: &'static [&'static str] = &["view_id", "component_id"];
    const COLUMNS: &'static [&'static str] = &["x", "y"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![&self.view_id, &self.component_id, &self.x, &self.y]
    }

    fn key(&self) -> String {
        Self::key_of(&self.view_id, &self.component_id)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}

impl WorkspaceRow for ViewPlace {
    const LIST: &'static str = "view_places";
    const ORDER: &'static str = "view_id || '/' || component_id";

    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self> {
        Ok(Self {
            view_id: row.get(0)?,
            component_id: row.get(1)?,
            x: row.get(2)?,
            y: row.get(3)?,
            workspace_id: workspace_id.to_owned(),
            metadata: metadata_at(row, 4)?,
        })
    }
}
