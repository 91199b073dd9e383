//! Credentials and the current permissions of their owners.

use rusqlite::{Connection, Row, params};

use crate::{
    auth::TokenHash,
    db::sql::{exists, one, run},
    domain::core::standing::{ActiveOrganization, GrantScope, WRITE},
    error::{Author, Result},
};

/// The owner of a personal access token.
#[derive(Debug, Clone)]
pub(in crate::domain) struct TokenOwner {
    pub id: i64,
    pub user_id: i64,
    pub org_id: Option<String>,
    pub last_used_at: Option<i64>,
    pub revoked_at: Option<i64>,
}

/// The grant of an access token.
#[derive(Debug, Clone)]
pub(in crate::domain) struct Grant {
    pub id: i64,
    pub user_id: i64,
    pub organization_id: String,
    pub scope: GrantScope,
    pub expires_at: i64,
    pub last_used_at: Option<i64>,
}

/// Whether an account is an instance administrator, and whether it is suspended.
pub(in crate::domain) struct AccountStatus {
    pub is_admin: bool,
    pub is_suspended: bool,
}

/// Returns the account of a user.
pub(in crate::domain) fn account(conn: &Connection, user_id: i64) -> Result<Option<AccountStatus>> {
    one(conn, "SELECT is_admin, is_suspended FROM user WHERE id = ?", [user_id], |row| {
        Ok(AccountStatus { is_admin: row.get(0)?, is_suspended: row.get(1)? })
    })
}

/// Returns a user as the author of a change.
pub(in crate::domain) fn author(conn: &Connection, id: i64) -> Result<Option<Author>> {
    one(conn, "SELECT id, display_name FROM user WHERE id = ?", [id], |row| {
        Ok(Author { id: row.get(0)?, display_name: row.get(1)? })
    })
}

/// Returns when a session expires. None if it does not exist, belongs to another user, has ended, or has expired.
pub(in crate::domain) fn session_expiry(conn: &Connection, id: i64, user_id: i64, now: i64) -> Result<Option<i64>> {
    let sql = "SELECT expires_at FROM session WHERE id = ? AND user_id = ? AND ended_at IS NULL AND expires_at > ?";
    one(conn, sql, params![id, user_id, now], |row| row.get(0))
}

/// Returns the owner of a token, with the data needed to authorize a request.
pub(in crate::domain) fn token(conn: &Connection, hash: &TokenHash) -> Result<Option<TokenOwner>> {
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

/// Records that a token was used.
pub(in crate::domain) fn touch_token(conn: &Connection, id: i64, now: i64) -> Result<()> {
    run(conn, "UPDATE api_token SET last_used_at = ? WHERE id = ?", params![now, id])?;
    Ok(())
}

/// Parses the scope of a grant from `column`.
pub(in crate::domain) fn grant_scope(row: &Row<'_>, column: &str) -> rusqlite::Result<GrantScope> {
    let words: String = row.get(column)?;
    Ok(if words.split(' ').any(|word| word == WRITE) { GrantScope::Write } else { GrantScope::Read })
}

/// Returns the grant of an access token, if the token is valid at `now`.
pub(in crate::domain) fn grant(conn: &Connection, hash: &TokenHash, now: i64) -> Result<Option<Grant>> {
    let sql = "SELECT token.grant_id, user_id, organization_id, token.scope, token.expires_at, last_used_at
               FROM oauth_token AS token JOIN oauth_grant ON oauth_grant.id = token.grant_id
               WHERE token_hash = ? AND kind = 'access' AND token.expires_at > ? AND token.revoked_at IS NULL
                 AND oauth_grant.revoked_at IS NULL";
    one(conn, sql, params![hash, now], |row| {
        Ok(Grant {
            id: row.get("grant_id")?,
            user_id: row.get("user_id")?,
            organization_id: row.get("organization_id")?,
            scope: grant_scope(row, "scope")?,
            expires_at: row.get("expires_at")?,
            last_used_at: row.get("last_used_at")?,
        })
    })
}

/// Records that a grant was used.
pub(in crate::domain) fn touch_grant(conn: &Connection, grant_id: i64, now: i64) -> Result<()> {
    run(conn, "UPDATE oauth_grant SET last_used_at = ? WHERE id = ?", params![now, grant_id]).map(drop)
}

/// Reads the columns id, slug, name and role.
pub(in crate::domain) fn active_organization_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<ActiveOrganization> {
    Ok(ActiveOrganization { id: row.get(0)?, slug: row.get(1)?, name: row.get(2)?, role: row.get(3)? })
}

/// Returns an organization as seen by one of its members; none if the user is not a member.
pub(in crate::domain) fn active_organization(
    conn: &Connection,
    id: &str,
    user_id: i64,
) -> Result<Option<ActiveOrganization>> {
    one(
        conn,
        "SELECT o.id, o.slug, o.name, m.role FROM organization o
         JOIN organization_member m ON m.organization_id = o.id WHERE o.id = ? AND m.user_id = ?",
        params![id, user_id],
        active_organization_row,
    )
}

/// Returns an organization as seen by its admins.
pub(in crate::domain) fn organization_as_admin(conn: &Connection, id: &str) -> Result<Option<ActiveOrganization>> {
    one(conn, "SELECT id, slug, name, 'org:admin' FROM organization WHERE id = ?", [id], active_organization_row)
}

/// Whether a token exists and is not revoked.
pub(in crate::domain) fn token_is_active(conn: &Connection, id: i64) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM api_token WHERE id = ? AND revoked_at IS NULL)", [id])
}
