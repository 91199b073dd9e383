//! Links in emails that end emails of a kind. Only their hash is stored.

use rusqlite::{Connection, params};

use crate::{
    auth::TokenHash,
    db::sql::{one, run},
    error::Result,
};

/// A link that has not expired.
pub(in crate::domain) struct StoredLink {
    pub user_id: i64,
    pub scope: String,
    pub is_used: bool,
}

pub(in crate::domain) fn insert(
    conn: &Connection,
    token: &TokenHash,
    (user_id, scope): (i64, &str),
    expires_at: i64,
) -> Result<()> {
    let sql = "INSERT INTO unsubscribe_link (token_hash, user_id, scope, expires_at) VALUES (?, ?, ?, ?)";
    run(conn, sql, params![token, user_id, scope, expires_at]).map(drop)
}

pub(in crate::domain) fn find(conn: &Connection, token: &TokenHash, now: i64) -> Result<Option<StoredLink>> {
    let sql = "SELECT user_id, scope, used_at IS NOT NULL AS is_used FROM unsubscribe_link
               WHERE token_hash = ? AND expires_at > ?";
    one(conn, sql, params![token, now], |row| {
        Ok(StoredLink { user_id: row.get("user_id")?, scope: row.get("scope")?, is_used: row.get("is_used")? })
    })
}

pub(in crate::domain) fn mark_used(conn: &Connection, token: &TokenHash, now: i64) -> Result<()> {
    run(conn, "UPDATE unsubscribe_link SET used_at = ? WHERE token_hash = ?", params![now, token]).map(drop)
}
