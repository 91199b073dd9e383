//! Processes.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, exists, one, run},
    domain::{
        core::{Entity, HitKind, Record, RowMetadata, WorkspaceKey, WriteToken, metadata_at, searched::Affected},
        map::{model::order::GAP, processes::Process},
        paging::{Page, Window},
    },
    error::Result,
};

/// Columns of a row, in the order in which [`process`] reads them. Values are read by index: a lookup by name takes longer
/// than reading the value, and a bundle has tens of thousands of values.
const COLUMNS: &str =
    "id, seq, name, description, mermaid, participants, revision, created_at, created_by, updated_at, updated_by";

fn process(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Process> {
    Ok(Process {
        id: row.get(0)?,
        seq: row.get(1)?,
        name: row.get(2)?,
        description: row.get(3)?,
        mermaid: row.get(4)?,
        participants: row.get(5)?,
        workspace_id: workspace_id.to_owned(),
        metadata: metadata_at(row, 6)?,
    })
}

/// Finds a row by id.
pub(in crate::domain) fn find(conn: &Connection, of: &WorkspaceKey<'_>, id: &str) -> Result<Option<Process>> {
    let sql = format!("SELECT {COLUMNS} FROM process WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, params![of.pk, id], |row| process(row, of.id))
}

/// All rows, in list order.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Process>> {
    let sql = format!("SELECT {COLUMNS} FROM process WHERE workspace_pk = ? ORDER BY seq, id");
    all(conn, &sql, [of.pk], |row| process(row, of.id))
}

/// Ids and texts of processes whose text contains `name`.
pub(in crate::domain) fn that_contain(
    conn: &Connection,
    workspace_pk: i64,
    name: &str,
    most: usize,
) -> Result<Vec<(String, String)>> {
    let sql =
        "SELECT id, mermaid FROM process WHERE workspace_pk = ? AND instr(mermaid, ?) > 0 ORDER BY seq, id LIMIT ?";
    all(conn, sql, params![workspace_pk, name, i64::try_from(most).unwrap_or(i64::MAX)], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// Ids of processes that have one of these components as a participant.
pub(in crate::domain) fn with_participants(
    conn: &Connection,
    workspace_pk: i64,
    component_ids: &[String],
) -> Result<Vec<String>> {
    let sql = "SELECT id FROM process p WHERE workspace_pk = ?1 AND EXISTS (
                   SELECT 1 FROM json_each(p.participants) WHERE value IN (SELECT value FROM json_each(?2)))
               ORDER BY seq, id";
    let ids = serde_json::to_string(component_ids)?;
    all(conn, sql, params![workspace_pk, ids], |row| row.get(0))
}

/// Id of a process with this name, ignoring the case of the letters a to z.
pub(in crate::domain) fn named(conn: &Connection, workspace_pk: i64, name: &str) -> Result<Option<String>> {
    let sql = "SELECT id FROM process WHERE workspace_pk = ? AND name = ? COLLATE NOCASE ORDER BY seq, id LIMIT 1";
    one(conn, sql, params![workspace_pk, name], |row| row.get(0))
}

/// Whether the id is taken.
pub(in crate::domain) fn id_taken(conn: &Connection, workspace_pk: i64, id: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM process WHERE workspace_pk = ? AND id = ?)";
    exists(conn, sql, params![workspace_pk, id])
}

/// Order value after the last row. Order values have gaps between them.
pub(in crate::domain) fn next_seq(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT coalesce(max(seq), 0) + ? FROM process WHERE workspace_pk = ?";
    Ok(one(conn, sql, [GAP, workspace_pk], |row| row.get(0))?.unwrap_or(GAP))
}

impl Record for Process {
    const ENTITY: Entity = Entity::Process;

    fn key(&self) -> String {
        self.id.clone()
    }

    fn seq(&self) -> Option<i64> {
        Some(self.seq)
    }

    fn searched_in(&self) -> Option<Affected> {
        Some(Affected::Row(HitKind::Process, self.id.clone()))
    }

    fn is_found_like(&self, other: &Self) -> bool {
        (&self.name, &self.description, &self.mermaid) == (&other.name, &other.description, &other.mermaid)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }

    fn put(&mut self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "INSERT INTO process (
                       workspace_pk, id, seq, name, description, mermaid, participants, revision, created_at,
                       created_by, updated_at, updated_by)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (workspace_pk, id) DO UPDATE SET
                       seq = excluded.seq, name = excluded.name, description = excluded.description,
                       mermaid = excluded.mermaid, participants = excluded.participants,
                       revision = excluded.revision, updated_at = excluded.updated_at,
                       updated_by = excluded.updated_by
                   WHERE ?";
        let params = params![
            to.scope.workspace_pk(),
            self.id,
            self.seq,
            self.name,
            self.description,
            self.mermaid,
            self.participants,
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
        let sql = "DELETE FROM process WHERE workspace_pk = ? AND id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.id])?;
        Ok(())
    }
}

/// Processes of a workspace, in creation order.
pub(in crate::domain) fn page(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    window: &Window<(i64, String)>,
) -> Result<Page<Process>> {
    let sql =
        format!("SELECT {COLUMNS} FROM process WHERE workspace_pk = ? AND (seq, id) > (?, ?) ORDER BY seq, id LIMIT ?");
    let params = params![of.pk, window.after.0, window.after.1, window.rows()];
    crate::domain::paging::page(conn, &sql, params, window, |row| {
        let process = process(row, of.id)?;
        Ok(((process.seq, process.id.clone()), process))
    })
}
