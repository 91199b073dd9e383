//! Positions of components in views.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, one, run},
    domain::{
        core::{Entity, Record, RowMetadata, WorkspaceKey, WriteToken, metadata_at},
        map::views::ViewPlace,
    },
    error::Result,
};

/// Columns of a row, in the order in which [`place`] reads them.
const COLUMNS: &str = "view_id, component_id, x, y, revision, created_at, created_by, updated_at, updated_by";

/// The order of lists: the keys of the rows as text.
const ORDER: &str = "ORDER BY view_id || '/' || component_id";

fn place(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<ViewPlace> {
    Ok(ViewPlace {
        view_id: row.get(0)?,
        component_id: row.get(1)?,
        x: row.get(2)?,
        y: row.get(3)?,
        workspace_id: workspace_id.to_owned(),
        metadata: metadata_at(row, 4)?,
    })
}

/// Finds the position of a component in a view.
pub(in crate::domain) fn find(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    view_id: &str,
    component_id: &str,
) -> Result<Option<ViewPlace>> {
    let sql = format!("SELECT {COLUMNS} FROM view_place WHERE workspace_pk = ? AND view_id = ? AND component_id = ?");
    one(conn, &sql, params![of.pk, view_id, component_id], |row| place(row, of.id))
}

/// All rows.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<ViewPlace>> {
    let sql = format!("SELECT {COLUMNS} FROM view_place WHERE workspace_pk = ? {ORDER}");
    all(conn, &sql, [of.pk], |row| place(row, of.id))
}

/// The rows of a view.
pub(in crate::domain) fn of_view(conn: &Connection, of: &WorkspaceKey<'_>, view_id: &str) -> Result<Vec<ViewPlace>> {
    let sql = format!("SELECT {COLUMNS} FROM view_place WHERE workspace_pk = ? AND view_id = ? ORDER BY component_id");
    all(conn, &sql, params![of.pk, view_id], |row| place(row, of.id))
}

/// The rows of a component.
pub(in crate::domain) fn of_component(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
) -> Result<Vec<ViewPlace>> {
    let sql = format!("SELECT {COLUMNS} FROM view_place WHERE workspace_pk = ? AND component_id = ? ORDER BY view_id");
    all(conn, &sql, params![of.pk, component_id], |row| place(row, of.id))
}

impl Record for ViewPlace {
    const ENTITY: Entity = Entity::ViewPlace;

    fn key(&self) -> String {
        Self::key_of(&self.view_id, &self.component_id)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }

    fn put(&mut self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "INSERT INTO view_place (
                       workspace_pk, view_id, component_id, x, y, revision, created_at, created_by, updated_at,
                       updated_by)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (workspace_pk, view_id, component_id) DO UPDATE SET
                       x = excluded.x, y = excluded.y, revision = excluded.revision,
                       updated_at = excluded.updated_at, updated_by = excluded.updated_by
                   WHERE ?";
        let params = params![
            to.scope.workspace_pk(),
            self.view_id,
            self.component_id,
            self.x,
            self.y,
            self.metadata.revision,
            self.metadata.created_at,
            self.metadata.created_by,
            self.metadata.updated_at,
            self.metadata.updated_by,
            to.replaces,
        ];
        run(to.conn, sql, params)?;
        Ok(())
    }

    fn delete(&self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "DELETE FROM view_place WHERE workspace_pk = ? AND view_id = ? AND component_id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.view_id, self.component_id])?;
        Ok(())
    }
}
