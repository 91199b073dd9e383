//! Personal access tokens.

use rusqlite::{Connection, Row, params};

use crate::{
    auth::TokenHash,
    db::sql::{one, run},
    domain::{
        accounts::tokens::Token,
        paging::{Page, Window, page},
    },
    error::Result,
};

fn token(row: &Row<'_>) -> rusqlite::Result<Token> {
    Ok(Token {
        id: row.get("id")?,
        name: row.get("name")?,
        prefix: row.get("prefix")?,
        created_at: row.get("created_at")?,
        org_id: row.get("organization_id")?,
        last_used_at: row.get("last_used_at")?,
        revoked_at: row.get("revoked_at")?,
    })
}

/// Number of a user's tokens that are not revoked.
pub(in crate::domain) fn count_active(conn: &Connection, user_id: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM api_token WHERE user_id = ? AND revoked_at IS NULL";
    Ok(one(conn, sql, [user_id], |row| row.get(0))?.unwrap_or_default())
}

/// Revokes all tokens of a user. Returns how many were revoked.
pub(in crate::domain) fn revoke_all(conn: &Connection, user_id: i64, now: i64) -> Result<usize> {
    let sql = "UPDATE api_token SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL";
    run(conn, sql, params![now, user_id])
}

/// Revokes all tokens of all users. Returns how many were revoked.
pub(in crate::domain) fn revoke_of_all_users(conn: &Connection, now: i64) -> Result<usize> {
    run(conn, "UPDATE api_token SET revoked_at = ? WHERE revoked_at IS NULL", [now])
}

/// Tokens of a user, including revoked ones, in creation order.
pub(in crate::domain) fn of_user(conn: &Connection, user_id: i64, window: &Window<i64>) -> Result<Page<Token>> {
    let sql = "SELECT id, name, prefix, created_at, organization_id, last_used_at, revoked_at FROM api_token
               WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?";
    page(conn, sql, params![user_id, window.after, window.rows()], window, |row| Ok((row.get("id")?, token(row)?)))
}

/// Returns the id of the new token.
pub(in crate::domain) fn insert(
    conn: &Connection,
    user_id: i64,
    organization_id: Option<&str>,
    name: &str,
    prefix: &str,
    hash: &TokenHash,
    now: i64,
) -> Result<i64> {
    run(
        conn,
        "INSERT INTO api_token (user_id, organization_id, name, prefix, token_hash, created_at)
         VALUES (?, ?, ?, ?, ?, ?)",
        params![user_id, organization_id, name, prefix, hash, now],
    )?;
    Ok(conn.last_insert_rowid())
}

/// Revokes a user's token. Returns whether the token exists. The revocation time of a revoked token does not change.
pub(in crate::domain) fn revoke(conn: &Connection, user_id: i64, id: i64, now: i64) -> Result<bool> {
    let rows = run(
        conn,
        "UPDATE api_token SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? AND user_id = ?",
        params![now, id, user_id],
    )?;
    Ok(rows > 0)
}
