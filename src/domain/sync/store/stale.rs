//! Sources by the time of their last sync, of all workspaces.

use rusqlite::Connection;

use crate::{db::sql::one, error::Result};

/// The number of sources whose last sync was not after `until`, without those of drafts and deleted workspaces.
pub(in crate::domain) fn count(conn: &Connection, until: i64) -> Result<u64> {
    let sql = "SELECT count(*) FROM source s CROSS JOIN workspace w ON w.pk = s.workspace_pk
               WHERE s.synced_at <= ? AND w.base_pk IS NULL AND w.deleted_at IS NULL";
    Ok(one(conn, sql, [until], |row| row.get::<_, i64>(0))?.unwrap_or_default().unsigned_abs())
}

/// The time of the last sync and the workspace of the next sources after `after` and not after the time `until`.
pub(in crate::domain) fn next(conn: &Connection, after: (i64, i64), until: i64) -> Result<Option<(i64, i64)>> {
    let sql = "SELECT synced_at, workspace_pk FROM source WHERE (synced_at, workspace_pk) > (?, ?) AND synced_at <= ?
               ORDER BY synced_at, workspace_pk LIMIT 1";
    one(conn, sql, [after.0, after.1, until], |row| Ok((row.get(0)?, row.get(1)?)))
}
