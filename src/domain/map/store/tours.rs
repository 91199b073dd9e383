//! Tours.

use rusqlite::{Row, ToSql};

use crate::domain::{
    core::{Entity, Record, RowMetadata, WorkspaceRow, metadata_at},
    map::tours::Tour,
};

impl Record for Tour {
    const ENTITY: Entity = Entity::Tour;
    const COLUMNS: &'static [&'static str] = &["name", "description", "position", "stops"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![&self.id, &self.name, &self.description, &self.position, &self.stops]
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

impl WorkspaceRow for Tour {
    const LIST: &'static str = "tours";
    const ORDER: &'static str = "position, id";

    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            description: row.get(2)?,
            position: row.get(3)?,
            stops: row.get(4)?,
            workspace_id: workspace_id.to_owned(),
            metadata: metadata_at(row, 5)?,
        })
    }
}
