//! Registered clients, grants, codes, and tokens of connected apps.

pub(in crate::domain) mod consent;

use rusqlite::{Connection, params};

use crate::{
    auth::TokenHash,
    db::sql::{exists, one, run},
    domain::{
        accounts::connectors::{Connector, OAuthClient},
        core::{GrantScope, grant_scope},
        paging::{Page, Window, page},
    },
    error::Result,
};

/// A grant to insert.
pub(in crate::domain) struct NewGrant<'a> {
    pub client_id: &'a str,
    pub user_id: i64,
    pub organization_id: &'a str,
    pub scope: GrantScope,
}

/// A code to insert.
pub(in crate::domain) struct NewAuthorizationCode<'a> {
    pub hash: TokenHash,
    pub grant_id: i64,
    pub redirect_uri: &'a str,
    pub challenge: &'a str,
    pub resource: Option<&'a str>,
    pub expires_at: i64,
}

/// An authorization code with its grant.
pub(in crate::domain) struct AuthorizationCode {
    pub grant_id: i64,
    pub client_id: String,
    pub user_id: i64,
    pub scope: GrantScope,
    pub redirect_uri: String,
    pub challenge: String,
    pub expires_at: i64,
    pub used: bool,
}

/// A refresh token with its grant.
pub(in crate::domain) struct StoredRefreshToken {
    pub grant_id: i64,
    pub client_id: String,
    pub user_id: i64,
    pub scope: GrantScope,
    pub expires_at: i64,
    pub rotated: bool,
    pub revoked: bool,
}

pub(in crate::domain) fn insert_client(
    conn: &Connection,
    id: &str,
    name: &str,
    redirect_uris: &[String],
    now: i64,
) -> Result<()> {
    let uris = serde_json::to_string(redirect_uris)?;
    let sql = "INSERT INTO oauth_client (id, name, redirect_uris, created_at) VALUES (?, ?, ?, ?)";
    run(conn, sql, params![id, name, uris, now]).map(drop)
}

pub(in crate::domain) fn client(conn: &Connection, id: &str) -> Result<Option<OAuthClient>> {
    let sql = "SELECT id, name, redirect_uris, created_at FROM oauth_client WHERE id = ?";
    let row = one(conn, sql, [id], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?, row.get::<_, i64>(3)?))
    })?;
    let Some((client_id, client_name, uris, created_at)) = row else { return Ok(None) };
    Ok(Some(OAuthClient {
        client_id,
        client_id_issued_at: created_at / 1_000,
        client_name,
        redirect_uris: serde_json::from_str(&uris)?,
        token_endpoint_auth_method: "none".into(),
        grant_types: vec!["authorization_code".into(), "refresh_token".into()],
        response_types: vec!["code".into()],
    }))
}

/// Returns the id of the new grant.
pub(in crate::domain) fn insert_grant(conn: &Connection, grant: &NewGrant<'_>, now: i64) -> Result<i64> {
    let sql = "INSERT INTO oauth_grant (client_id, user_id, organization_id, scope, created_at) VALUES (?, ?, ?, ?, ?)";
    let NewGrant { client_id, user_id, organization_id, scope } = grant;
    run(conn, sql, params![client_id, user_id, organization_id, scope.as_str(), now])?;
    Ok(conn.last_insert_rowid())
}

pub(in crate::domain) fn insert_code(conn: &Connection, code: &NewAuthorizationCode<'_>) -> Result<()> {
    let NewAuthorizationCode { hash, grant_id, redirect_uri, challenge, resource, expires_at } = code;
    let sql = "INSERT INTO oauth_code (code_hash, grant_id, redirect_uri, code_challenge, resource, expires_at)
               VALUES (?, ?, ?, ?, ?, ?)";
    run(conn, sql, params![hash, grant_id, redirect_uri, challenge, resource, expires_at]).map(drop)
}

pub(in crate::domain) fn code(conn: &Connection, hash: &TokenHash) -> Result<Option<AuthorizationCode>> {
    let sql = "SELECT code.grant_id, client_id, user_id, scope, redirect_uri, code_challenge, expires_at, used_at
               FROM oauth_code AS code JOIN oauth_grant ON oauth_grant.id = code.grant_id WHERE code_hash = ?";
    one(conn, sql, [hash], |row| {
        Ok(AuthorizationCode {
            grant_id: row.get("grant_id")?,
            client_id: row.get("client_id")?,
            user_id: row.get("user_id")?,
            scope: grant_scope(row, "scope")?,
            redirect_uri: row.get("redirect_uri")?,
            challenge: row.get("code_challenge")?,
            expires_at: row.get("expires_at")?,
            used: row.get::<_, Option<i64>>("used_at")?.is_some(),
        })
    })
}

pub(in crate::domain) fn use_code(conn: &Connection, hash: &TokenHash, now: i64) -> Result<()> {
    run(conn, "UPDATE oauth_code SET used_at = ? WHERE code_hash = ?", params![now, hash]).map(drop)
}

pub(in crate::domain) fn insert_token(
    conn: &Connection,
    grant_id: i64,
    kind: &str,
    hash: &TokenHash,
    scope: GrantScope,
    now: i64,
    expires_at: i64,
) -> Result<()> {
    let sql = "INSERT INTO oauth_token (grant_id, kind, token_hash, scope, created_at, expires_at)
               VALUES (?, ?, ?, ?, ?, ?)";
    run(conn, sql, params![grant_id, kind, hash, scope.as_str(), now, expires_at]).map(drop)
}

pub(in crate::domain) fn refresh_token(conn: &Connection, hash: &TokenHash) -> Result<Option<StoredRefreshToken>> {
    let sql = "SELECT token.grant_id, client_id, user_id, token.scope, token.expires_at, token.rotated_at,
                      token.revoked_at
               FROM oauth_token AS token JOIN oauth_grant ON oauth_grant.id = token.grant_id
               WHERE token_hash = ? AND kind = 'refresh'";
    one(conn, sql, [hash], |row| {
        Ok(StoredRefreshToken {
            grant_id: row.get("grant_id")?,
            client_id: row.get("client_id")?,
            user_id: row.get("user_id")?,
            scope: grant_scope(row, "scope")?,
            expires_at: row.get("expires_at")?,
            rotated: row.get::<_, Option<i64>>("rotated_at")?.is_some(),
            revoked: row.get::<_, Option<i64>>("revoked_at")?.is_some(),
        })
    })
}

pub(in crate::domain) fn rotate(conn: &Connection, hash: &TokenHash, now: i64) -> Result<()> {
    run(conn, "UPDATE oauth_token SET rotated_at = ? WHERE token_hash = ?", params![now, hash]).map(drop)
}

/// Organization of a grant, unless the grant was revoked.
pub(in crate::domain) fn standing(conn: &Connection, grant_id: i64) -> Result<Option<String>> {
    let sql = "SELECT organization_id FROM oauth_grant WHERE id = ? AND revoked_at IS NULL";
    one(conn, sql, [grant_id], |row| row.get(0))
}

/// Returns whether an active grant was revoked.
pub(in crate::domain) fn revoke_grant(conn: &Connection, grant_id: i64, now: i64) -> Result<bool> {
    let sql = "UPDATE oauth_grant SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
    Ok(run(conn, sql, params![now, grant_id])? > 0)
}

/// Revokes an access token of a client. Returns whether an active token was revoked.
pub(in crate::domain) fn revoke_access(conn: &Connection, client_id: &str, hash: &TokenHash, now: i64) -> Result<bool> {
    let sql = "UPDATE oauth_token SET revoked_at = ? WHERE token_hash = ? AND kind = 'access' AND revoked_at IS NULL
                 AND grant_id IN (SELECT id FROM oauth_grant WHERE client_id = ?)";
    Ok(run(conn, sql, params![now, hash, client_id])? > 0)
}

/// Connected apps of a user, by app and organization, in the order of their first authorization. Grants without a token
/// are excluded.
pub(in crate::domain) fn of_user(conn: &Connection, user_id: i64, window: &Window<i64>) -> Result<Page<Connector>> {
    // A scope with more permissions extends the text of a smaller scope, so `max` selects it.
    let sql = "SELECT client_id, name, organization_id, max(scope) AS scope, min(oauth_grant.created_at) AS created_at,
                      max(last_used_at) AS last_used_at, min(oauth_grant.id) AS first_grant
               FROM oauth_grant JOIN oauth_client ON oauth_client.id = client_id
               WHERE user_id = ? AND revoked_at IS NULL
                 AND EXISTS (SELECT 1 FROM oauth_token WHERE grant_id = oauth_grant.id)
               GROUP BY client_id, organization_id HAVING first_grant > ? ORDER BY first_grant LIMIT ?";
    page(conn, sql, [user_id, window.after, window.rows()], window, |row| {
        let connector = Connector {
            client_id: row.get("client_id")?,
            name: row.get("name")?,
            org_id: row.get("organization_id")?,
            can_write: grant_scope(row, "scope")? == GrantScope::Write,
            created_at: row.get("created_at")?,
            last_used_at: row.get("last_used_at")?,
        };
        Ok((row.get("first_grant")?, connector))
    })
}

/// Revokes all grants of a user for a client. Returns how many were revoked.
pub(in crate::domain) fn revoke_all(conn: &Connection, client_id: &str, user_id: i64, now: i64) -> Result<usize> {
    let sql = "UPDATE oauth_grant SET revoked_at = ? WHERE client_id = ? AND user_id = ? AND revoked_at IS NULL";
    run(conn, sql, params![now, client_id, user_id])
}

/// Number of a user's grants that are not revoked.
pub(in crate::domain) fn count_grants(conn: &Connection, user_id: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM oauth_grant WHERE user_id = ? AND revoked_at IS NULL";
    Ok(one(conn, sql, [user_id], |row| row.get(0))?.unwrap_or_default())
}

/// Revokes all grants of a user. Returns how many were revoked.
pub(in crate::domain) fn revoke_of_user(conn: &Connection, user_id: i64, now: i64) -> Result<usize> {
    let sql = "UPDATE oauth_grant SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL";
    run(conn, sql, params![now, user_id])
}

/// Revokes all grants of all users. Returns how many were revoked.
pub(in crate::domain) fn revoke_of_all_users(conn: &Connection, now: i64) -> Result<usize> {
    run(conn, "UPDATE oauth_grant SET revoked_at = ? WHERE revoked_at IS NULL", [now])
}

/// Whether any user has ever authorized a client.
pub(in crate::domain) fn was_authorized(conn: &Connection, client_id: &str) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM oauth_grant WHERE client_id = ?)", [client_id])
}

/// Deletes codes and tokens that expired before `before`, grants that were revoked or never used before then, and
/// unused clients that registered before `unused`. Returns how many rows were deleted.
pub(in crate::domain) fn delete_unused(conn: &Connection, before: i64, unused: i64) -> Result<usize> {
    let deleted = run(conn, "DELETE FROM oauth_code WHERE expires_at < ?", [before])?
        + run(
            conn,
            "DELETE FROM oauth_token WHERE expires_at < ?1
                OR grant_id IN (SELECT id FROM oauth_grant WHERE revoked_at < ?1)",
            [before],
        )?
        + run(
            conn,
            "DELETE FROM oauth_grant WHERE created_at < ?
               AND NOT EXISTS (SELECT 1 FROM oauth_token WHERE grant_id = oauth_grant.id)
               AND NOT EXISTS (SELECT 1 FROM oauth_code WHERE grant_id = oauth_grant.id)",
            [before],
        )?
        + run(
            conn,
            "DELETE FROM oauth_client WHERE created_at < ?
               AND NOT EXISTS (SELECT 1 FROM oauth_grant WHERE client_id = oauth_client.id)
               AND NOT EXISTS (SELECT 1 FROM oauth_request WHERE client_id = oauth_client.id)",
            [unused],
        )?;
    Ok(deleted)
}

/// Deletes the oldest registered clients without grants and pending requests, beyond `most`.
pub(in crate::domain) fn remove_oldest_registrations(conn: &Connection, most: i64) -> Result<usize> {
    let sql = "DELETE FROM oauth_client WHERE id IN (
                   SELECT id FROM oauth_client
                   WHERE NOT EXISTS (SELECT 1 FROM oauth_grant WHERE client_id = oauth_client.id)
                     AND NOT EXISTS (SELECT 1 FROM oauth_request WHERE client_id = oauth_client.id)
                   ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?)";
    run(conn, sql, [most])
}
