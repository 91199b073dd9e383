//! Sessions of people who signed in.

use rusqlite::{Connection, params};

use super::{exists, run};
use crate::error::Result;

/// Whether the session exists, is the user's, and has neither ended nor run out.
pub(in crate::domain) fn living(conn: &Connection, id: i64, user_id: i64, now: i64) -> Result<bool> {
    exists(
        conn,
        "SELECT EXISTS (SELECT 1 FROM session WHERE id = ? AND user_id = ? AND ended_at IS NULL AND expires_at > ?)",
        params![id, user_id, now],
    )
}

/// Answers with the new session's id.
pub(in crate::domain) fn insert(conn: &Connection, user_id: i64, now: i64, expires_at: i64) -> Result<i64> {
    run(
        conn,
        "INSERT INTO session (user_id, created_at, last_used_at, expires_at) VALUES (?, ?, ?, ?)",
        params![user_id, now, now, expires_at],
    )?;
    Ok(conn.last_insert_rowid())
}

/// Forgets sessions that ran out before `before`.
pub(in crate::domain) fn forget(conn: &Connection, before: i64) -> Result<usize> {
    run(conn, "DELETE FROM session WHERE expires_at < ?", [before])
}
