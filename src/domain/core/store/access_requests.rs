//! Access requests, as far as every request depends on them: their number, and their end.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, one, run},
    error::Result,
};

/// The number of requests in a workspace.
pub(in crate::domain) fn count(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM access_request WHERE workspace_pk = ?";
    Ok(one(conn, sql, [workspace_pk], |row| row.get(0))?.unwrap_or(0))
}

/// Time of a user's request in a workspace.
pub(in crate::domain) fn requested_at(conn: &Connection, workspace_pk: i64, user_id: i64) -> Result<Option<i64>> {
    let sql = "SELECT requested_at FROM access_request WHERE workspace_pk = ? AND user_id = ?";
    one(conn, sql, [workspace_pk, user_id], |row| row.get(0))
}

/// Users with a request in a workspace.
pub(in crate::domain) fn users(conn: &Connection, workspace_pk: i64) -> Result<Vec<i64>> {
    all(conn, "SELECT user_id FROM access_request WHERE workspace_pk = ?", [workspace_pk], |row| row.get(0))
}

/// Keys of the workspaces in which a user has a request.
pub(in crate::domain) fn workspaces(conn: &Connection, user_id: i64) -> Result<Vec<i64>> {
    all(conn, "SELECT workspace_pk FROM access_request WHERE user_id = ?", [user_id], |row| row.get(0))
}

/// Deletes a request. Returns whether there was one.
pub(in crate::domain) fn delete(conn: &Connection, workspace_pk: i64, user_id: i64) -> Result<bool> {
    let sql = "DELETE FROM access_request WHERE workspace_pk = ? AND user_id = ?";
    Ok(run(conn, sql, params![workspace_pk, user_id])? > 0)
}
