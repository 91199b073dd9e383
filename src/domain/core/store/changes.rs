//! Writes the change log.

use rusqlite::{Connection, params};

use crate::{db::sql::run, error::Result};

/// A row of the log. `before` and `after` are JSON images.
pub(in crate::domain) struct NewChange<'a> {
    pub organization_id: &'a str,
    pub workspace_pk: Option<i64>,
    pub revision: i64,
    /// Change set id.
    pub batch: &'a str,
    /// The client's label for the change set.
    pub label: Option<&'a str>,
    pub undo_of: Option<&'a str>,
    pub actor: Option<i64>,
    pub via: &'a str,
    pub credential: &'a str,
    pub entity: &'a str,
    pub entity_id: &'a str,
    pub op: &'a str,
    pub before: Option<&'a str>,
    pub after: Option<&'a str>,
    pub ts: i64,
}

/// Stores the reason of a change set.
pub(in crate::domain) fn insert_reason(conn: &Connection, change_set: &str, reason: &str) -> Result<()> {
    let sql = "INSERT INTO change_reason (change_set, reason) VALUES (?, ?) ON CONFLICT DO NOTHING";
    run(conn, sql, params![change_set, reason]).map(drop)
}

/// Inserts a row and returns its id.
pub(in crate::domain) fn insert(conn: &Connection, change: &NewChange<'_>) -> Result<i64> {
    run(
        conn,
        "INSERT INTO change (organization_id, workspace_pk, revision, batch, label, undo_of, actor, via, credential,
                             entity, entity_id, op, before, after, ts)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            change.organization_id,
            change.workspace_pk,
            change.revision,
            change.batch,
            change.label,
            change.undo_of,
            change.actor,
            change.via,
            change.credential,
            change.entity,
            change.entity_id,
            change.op,
            change.before,
            change.after,
            change.ts,
        ],
    )?;
    Ok(conn.last_insert_rowid())
}
