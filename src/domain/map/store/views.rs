//! Views.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, exists, one, run},
    domain::{
        core::{Entity, Record, RowMetadata, WorkspaceKey, WriteToken, metadata_at},
        map::{model::order::GAP, views::View},
        paging::{Page, Window},
    },
    error::Result,
};

/// Columns of a row, in the order in which [`view`] reads them.
const COLUMNS: &str =
    "id, name, description, position, definition, layout, revision, created_at, created_by, updated_at, updated_by";

fn view(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<View> {
    Ok(View {
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

/// Finds a row by id.
pub(in crate::domain) fn find(conn: &Connection, of: &WorkspaceKey<'_>, id: &str) -> Result<Option<View>> {
    let sql = format!("SELECT {COLUMNS} FROM view WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, params![of.pk, id], |row| view(row, of.id))
}

/// All rows, in list order.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<View>> {
    let sql = format!("SELECT {COLUMNS} FROM view WHERE workspace_pk = ? ORDER BY position, id");
    all(conn, &sql, [of.pk], |row| view(row, of.id))
}

/// A page of the rows, in list order.
pub(in crate::domain) fn page(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    window: &Window<(i64, String)>,
) -> Result<Page<View>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM view WHERE workspace_pk = ? AND (position, id) > (?, ?) ORDER BY position, id LIMIT ?"
    );
    let params = params![of.pk, window.after.0, window.after.1, window.rows()];
    crate::domain::paging::page(conn, &sql, params, window, |row| {
        let view = view(row, of.id)?;
        Ok(((view.position, view.id.clone()), view))
    })
}

/// Whether the id is taken.
pub(in crate::domain) fn id_taken(conn: &Connection, workspace_pk: i64, id: &str) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM view WHERE workspace_pk = ? AND id = ?)", params![workspace_pk, id])
}

/// Position after the last row. Positions have gaps between them.
pub(in crate::domain) fn next_position(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT coalesce(max(position), 0) + ? FROM view WHERE workspace_pk = ?";
    Ok(one(conn, sql, [GAP, workspace_pk], |row| row.get(0))?.unwrap_or(GAP))
}

/// Position of the row that follows `view` in the list.
pub(in crate::domain) fn position_after(conn: &Connection, workspace_pk: i64, view: &View) -> Result<Option<i64>> {
    let sql =
        "SELECT position FROM view WHERE workspace_pk = ? AND (position, id) > (?, ?) ORDER BY position, id LIMIT 1";
    one(conn, sql, params![workspace_pk, view.position, view.id], |row| row.get(0))
}

impl Record for View {
    const ENTITY: Entity = Entity::View;

    fn key(&self) -> String {
        self.id.clone()
    }

    fn list_position(&self) -> Option<i64> {
        Some(self.position)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }

    fn put(&mut self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "INSERT INTO view (
                       workspace_pk, id, name, description, position, definition, layout, revision, created_at,
                       created_by, updated_at, updated_by)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (workspace_pk, id) DO UPDATE SET
                       name = excluded.name, description = excluded.description, position = excluded.position,
                       definition = excluded.definition, layout = excluded.layout, revision = excluded.revision,
                       updated_at = excluded.updated_at, updated_by = excluded.updated_by
                   WHERE ?";
        let params = params![
            to.scope.workspace_pk(),
            self.id,
            self.name,
            self.description,
            self.position,
            self.definition,
            self.layout,
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
        let sql = "DELETE FROM view WHERE workspace_pk = ? AND id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.id])?;
        Ok(())
    }
}
