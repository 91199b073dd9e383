//! Personal access tokens.

use rusqlite::{Connection, Row, params};

use super::{all, exists, one, run};
use crate::{
    auth::TokenHash,
    domain::tokens::{Token, TokenOwner},
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

/// What a request needs to know of the token it came with.
pub(in crate::domain) fn by_hash(conn: &Connection, hash: &TokenHash) -> Result<Option<TokenOwner>> {
    one(
        conn,
        "SELECT id, user_id, organization_id, last_used_at, revoked_at FROM api_token WHERE token_hash = ?",
        [hash],
        |row| {
            Ok(TokenOwner {
                id: row.get(0)?,
                user_id: row.get(1)?,
                org_id: row.get(2)?,
                last_used_at: row.get(3)?,
                revoked_at: row.get(4)?,
            })
        },
    )
}

/// Whether there is such a token, and nobody has revoked it.
pub(in crate::domain) fn is_active(conn: &Connection, id: i64) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM api_token WHERE id = ? AND revoked_at IS NULL)", [id])
}

/// Number of a user's tokens that are not revoked.
pub(in crate::domain) fn count_active(conn: &Connection, user_id: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM api_token WHERE user_id = ? AND revoked_at IS NULL";
    Ok(one(conn, sql, [user_id], |row| row.get(0))?.unwrap_or_default())
}

/// Revokes all tokens of a user. Returns how many there were.
pub(in crate::domain) fn revoke_all(conn: &Connection, user_id: i64, now: i64) -> Result<usize> {
    let sql = "UPDATE api_token SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL";
    run(conn, sql, params![now, user_id])
}

/// All tokens of a user, revoked ones too, in order of creation.
pub(in crate::domain) fn of_user(conn: &Connection, user_id: i64) -> Result<Vec<Token>> {
    all(
        conn,
        "SELECT id, name, prefix, created_at, organization_id, last_used_at, revoked_at FROM api_token
         WHERE user_id = ? ORDER BY id",
        [user_id],
        token,
    )
}

/// Answers with the new token's id.
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

/// Revokes a user's token; answers whether there was one. A revoked one keeps its time.
pub(in crate::domain) fn revoke(conn: &Connection, user_id: i64, id: i64, now: i64) -> Result<bool> {
    let rows = run(
        conn,
        "UPDATE api_token SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? AND user_id = ?",
        params![now, id, user_id],
    )?;
    Ok(rows > 0)
}

/// Notes that a token was used.
pub(in crate::domain) fn touch(conn: &Connection, id: i64, now: i64) -> Result<()> {
    run(conn, "UPDATE api_token SET last_used_at = ? WHERE id = ?", params![now, id])?;
    Ok(())
}
