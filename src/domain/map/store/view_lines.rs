//! How relationships are drawn in views.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, one, run},
    domain::{
        core::{Entity, Record, RowMetadata, WorkspaceKey, WriteToken, metadata_at},
        map::views::ViewLine,
    },
    error::Result,
};

/// Columns of a row, in the order in which [`line()`] reads them.
const COLUMNS: &str = "view_id, relationship_id, line, revision, created_at, created_by, updated_at, updated_by";

/// The order of lists: the keys of the rows as text.
const ORDER: &str = "ORDER BY view_id || '/' || relationship_id";

fn line(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<ViewLine> {
    Ok(ViewLine {
        view_id: row.get(0)?,
        relationship_id: row.get(1)?,
        line: row.get(2)?,
        workspace_id: workspace_id.to_owned(),
        metadata: metadata_at(row, 3)?,
    })
}

/// Finds how a relationship is drawn in a view.
pub(in crate::domain) fn find(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    view_id: &str,
    relationship_id: &str,
) -> Result<Option<ViewLine>> {
    let sql = format!("SELECT {COLUMNS} FROM view_line WHERE workspace_pk = ? AND view_id = ? AND relationship_id = ?");
    one(conn, &sql, params![of.pk, view_id, relationship_id], |row| line(row, of.id))
}

/// All rows.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<ViewLine>> {
    let sql = format!("SELECT {COLUMNS} FROM view_line WHERE workspace_pk = ? {ORDER}");
    all(conn, &sql, [of.pk], |row| line(row, of.id))
}

/// The rows of a view.
pub(in crate::domain) fn of_view(conn: &Connection, of: &WorkspaceKey<'_>, view_id: &str) -> Result<Vec<ViewLine>> {
    let sql =
        format!("SELECT {COLUMNS} FROM view_line WHERE workspace_pk = ? AND view_id = ? ORDER BY relationship_id");
    all(conn, &sql, params![of.pk, view_id], |row| line(row, of.id))
}

/// The rows of a relationship.
pub(in crate::domain) fn of_relationship(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    relationship_id: &str,
) -> Result<Vec<ViewLine>> {
    let sql =
        format!("SELECT {COLUMNS} FROM view_line WHERE workspace_pk = ? AND relationship_id = ? ORDER BY view_id");
    all(conn, &sql, params![of.pk, relationship_id], |row| line(row, of.id))
}

impl Record for ViewLine {
    const ENTITY: Entity = Entity::ViewLine;

    fn key(&self) -> String {
        Self::key_of(&self.view_id, &self.relationship_id)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }

    fn put(&mut self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "INSERT INTO view_line (
                       workspace_pk, view_id, relationship_id, line, revision, created_at, created_by,
                       updated_at, updated_by)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (workspace_pk, view_id, relationship_id) DO UPDATE SET
                       line = excluded.line, revision = excluded.revision, updated_at = excluded.updated_at,
                       updated_by = excluded.updated_by
                   WHERE ?";
        let params = params![
            to.scope.workspace_pk(),
            self.view_id,
            self.relationship_id,
            self.line,
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
        let sql = "DELETE FROM view_line WHERE workspace_pk = ? AND view_id = ? AND relationship_id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.view_id, self.relationship_id])?;
        Ok(())
    }
}
