//! Tours.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, exists, one, run},
    domain::{
        core::{Entity, Record, RowMetadata, WorkspaceKey, WriteToken, metadata_at},
        map::{model::order::GAP, tours::Tour},
        paging::{Page, Window},
    },
    error::Result,
};

/// Columns of a row, in the order in which [`tour`] reads them.
const COLUMNS: &str =
    "id, name, description, position, stops, revision, created_at, created_by, updated_at, updated_by";

fn tour(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Tour> {
    Ok(Tour {
        id: row.get(0)?,
        name: row.get(1)?,
        description: row.get(2)?,
        position: row.get(3)?,
        stops: row.get(4)?,
        workspace_id: workspace_id.to_owned(),
        metadata: metadata_at(row, 5)?,
    })
}

/// Finds a row by id.
pub(in crate::domain) fn find(conn: &Connection, of: &WorkspaceKey<'_>, id: &str) -> Result<Option<Tour>> {
    let sql = format!("SELECT {COLUMNS} FROM tour WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, params![of.pk, id], |row| tour(row, of.id))
}

/// All rows, in list order.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Tour>> {
    let sql = format!("SELECT {COLUMNS} FROM tour WHERE workspace_pk = ? ORDER BY position, id");
    all(conn, &sql, [of.pk], |row| tour(row, of.id))
}

/// A page of the rows, in list order.
pub(in crate::domain) fn page(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    window: &Window<(i64, String)>,
) -> Result<Page<Tour>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM tour WHERE workspace_pk = ? AND (position, id) > (?, ?) ORDER BY position, id LIMIT ?"
    );
    let params = params![of.pk, window.after.0, window.after.1, window.rows()];
    crate::domain::paging::page(conn, &sql, params, window, |row| {
        let tour = tour(row, of.id)?;
        Ok(((tour.position, tour.id.clone()), tour))
    })
}

/// Whether the id is taken.
pub(in crate::domain) fn id_taken(conn: &Connection, workspace_pk: i64, id: &str) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM tour WHERE workspace_pk = ? AND id = ?)", params![workspace_pk, id])
}

/// Position after the last row. Positions have gaps between them.
pub(in crate::domain) fn next_position(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT coalesce(max(position), 0) + ? FROM tour WHERE workspace_pk = ?";
    Ok(one(conn, sql, [GAP, workspace_pk], |row| row.get(0))?.unwrap_or(GAP))
}

impl Record for Tour {
    const ENTITY: Entity = Entity::Tour;

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
        let sql = "INSERT INTO tour (
                       workspace_pk, id, name, description, position, stops, revision, created_at, created_by,
                       updated_at, updated_by)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (workspace_pk, id) DO UPDATE SET
                       name = excluded.name, description = excluded.description, position = excluded.position,
                       stops = excluded.stops, revision = excluded.revision, updated_at = excluded.updated_at,
                       updated_by = excluded.updated_by
                   WHERE ?";
        let params = params![
            to.scope.workspace_pk(),
            self.id,
            self.name,
            self.description,
            self.position,
            self.stops,
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
        let sql = "DELETE FROM tour WHERE workspace_pk = ? AND id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.id])?;
        Ok(())
    }
}
