//! Stored responses to creations with an idempotency key.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{one, run},
    error::Result,
};

/// Returns the fingerprint and sealed response of a key used after `since`.
pub(in crate::domain) fn find(
    conn: &Connection,
    user_id: i64,
    key: &str,
    since: i64,
) -> Result<Option<([u8; 32], Vec<u8>)>> {
    one(
        conn,
        "SELECT fingerprint, answer FROM idempotency WHERE user_id = ? AND key = ? AND created_at > ?",
        params![user_id, key, since],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

pub(in crate::domain) fn insert(
    conn: &Connection,
    user_id: i64,
    key: &str,
    fingerprint: &[u8; 32],
    answer: &[u8],
    now: i64,
) -> Result<()> {
    run(
        conn,
        "INSERT OR REPLACE INTO idempotency (user_id, key, fingerprint, answer, created_at) VALUES (?, ?, ?, ?, ?)",
        params![user_id, key, fingerprint, answer, now],
    )?;
    Ok(())
}

/// Deletes responses stored before `before`.
pub(in crate::domain) fn delete_answers(conn: &Connection, before: i64) -> Result<usize> {
    run(conn, "DELETE FROM idempotency WHERE created_at <= ?", [before])
}
