//! Processes.

use rusqlite::{Connection, Row, ToSql, params};

use crate::{
    db::sql::{all, one},
    domain::{
        core::{Entity, HitKind, Record, RowMetadata, WorkspaceRow, metadata_at, searched::Affected},
        map::processes::Process,
    },
    error::Result,
};

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

impl Record for Process {
    const ENTITY: Entity = Entity::Process;
    const COLUMNS: &'static [&'static str] = &["seq", "name", "description", "mermaid", "participants"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![&self.id, &self.seq, &self.name, &self.description, &self.mermaid, &self.participants]
    }

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
}

impl WorkspaceRow for Process {
    const LIST: &'static str = "processes";

    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self> {
        Ok(Self {
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
}
