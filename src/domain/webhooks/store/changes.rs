//! The change log, as webhooks read it.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, one, run},
    domain::core::{Entity, LoggedChange, change_log},
    error::Result,
};

/// How far the change log is read, and the incarnation of the database at that time.
pub(in crate::domain) fn position(conn: &Connection) -> Result<Option<(i64, String)>> {
    let sql = "SELECT change_id, incarnation FROM webhook_position";
    one(conn, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
}

pub(in crate::domain) fn set_position(conn: &Connection, change_id: i64, incarnation: &str) -> Result<()> {
    let sql = "INSERT INTO webhook_position (id, change_id, incarnation) VALUES (1, ?, ?)
               ON CONFLICT (id) DO UPDATE SET change_id = excluded.change_id, incarnation = excluded.incarnation";
    run(conn, sql, params![change_id, incarnation]).map(drop)
}

/// After which change the first enabled webhook wants changes of workspaces; none if no webhook does.
pub(in crate::domain) fn wanted_after(conn: &Connection) -> Result<Option<i64>> {
    let sql = "SELECT min(after_change) FROM webhook WHERE is_enabled AND events LIKE '%\"workspace.changed\"%'";
    Ok(one(conn, sql, [], |row| row.get(0))?.flatten())
}

/// Skips all changes up to `head`, for all webhooks.
pub(in crate::domain) fn skip_to(conn: &Connection, head: i64) -> Result<()> {
    run(conn, "UPDATE webhook SET after_change = ?", [head]).map(drop)
}

/// A row of the change log.
#[derive(Debug)]
pub(in crate::domain) struct ScannedChange {
    pub id: i64,
    pub organization_id: String,
    /// None for changes of a directory.
    pub workspace_pk: Option<i64>,
    pub change_set: String,
    pub actor_id: Option<i64>,
    pub ts: i64,
}

/// The first changes after `position`.
pub(in crate::domain) fn scan(conn: &Connection, position: i64, limit: u32) -> Result<Vec<ScannedChange>> {
    let sql = "SELECT id, organization_id, workspace_pk, batch, actor, ts FROM change WHERE id > ? ORDER BY id LIMIT ?";
    all(conn, sql, params![position, limit], |row| {
        Ok(ScannedChange {
            id: row.get(0)?,
            organization_id: row.get(1)?,
            workspace_pk: row.get(2)?,
            change_set: row.get(3)?,
            actor_id: row.get(4)?,
            ts: row.get(5)?,
        })
    })
}

/// The organizations of which a webhook wants changes of workspaces.
pub(in crate::domain) fn wanting(conn: &Connection) -> Result<Vec<String>> {
    let sql = "SELECT DISTINCT organization_id FROM webhook
               WHERE is_enabled AND events LIKE '%\"workspace.changed\"%'";
    all(conn, sql, [], |row| row.get(0))
}

/// Queues a range of changes of a workspace for each webhook that reports them. Returns how many.
pub(in crate::domain) fn queue(
    conn: &Connection,
    (first, last): (&ScannedChange, i64),
    message_id: &str,
    now: i64,
) -> Result<usize> {
    let sql = "INSERT INTO webhook_delivery (webhook_id, message_id, event, workspace_pk, actor_id, first_change,
                                             last_change, created_at, state, due_at)
               SELECT w.id, ?1, 'workspace.changed', ?2, ?3, ?4, ?5, ?6, 'pending', ?7 FROM webhook w
               WHERE w.organization_id = ?8 AND w.is_enabled AND w.after_change < ?4
                 AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = 'workspace.changed')
                 AND (NOT w.is_filtered
                      OR EXISTS (SELECT 1 FROM webhook_workspace f WHERE f.webhook_id = w.id AND f.workspace_pk = ?2))
                 AND EXISTS (SELECT 1 FROM workspace p WHERE p.pk = ?2 AND p.visibility <> 'private' AND p.base_pk IS NULL)";
    let params =
        params![message_id, first.workspace_pk, first.actor_id, first.id, last, first.ts, now, first.organization_id];
    run(conn, sql, params)
}

/// The first `limit` changes of a workspace in a range of the log.
pub(in crate::domain) fn in_range(
    conn: &Connection,
    workspace_pk: i64,
    (first, last): (i64, i64),
    limit: u32,
) -> Result<Vec<LoggedChange>> {
    let sql = format!("{} WHERE c.workspace_pk = ? AND c.id BETWEEN ? AND ? ORDER BY c.id LIMIT ?", change_log::SELECT);
    all(conn, &sql, params![workspace_pk, first, last, limit], change_log::logged)
}

/// Number of changes of a workspace in a range of the log.
pub(in crate::domain) fn count(conn: &Connection, workspace_pk: i64, (first, last): (i64, i64)) -> Result<i64> {
    let sql = "SELECT count(*) FROM change WHERE workspace_pk = ? AND id BETWEEN ? AND ?";
    Ok(one(conn, sql, params![workspace_pk, first, last], |row| row.get(0))?.unwrap_or_default())
}

/// The newest change of a row in the log.
pub(in crate::domain) fn newest(
    conn: &Connection,
    workspace_pk: i64,
    entity: Entity,
    entity_id: &str,
) -> Result<Option<LoggedChange>> {
    let sql = format!(
        "{} WHERE c.workspace_pk = ? AND c.entity = ? AND c.entity_id = ? ORDER BY c.id DESC LIMIT 1",
        change_log::SELECT
    );
    one(conn, &sql, params![workspace_pk, entity.as_str(), entity_id], change_log::logged)
}
