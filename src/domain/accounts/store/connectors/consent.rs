//! Pending authorization requests, which wait for the user's consent.

use rusqlite::{Connection, params};

use crate::{
    auth::TokenHash,
    db::sql::{one, run},
    domain::core::{GrantScope, grant_scope},
    error::Result,
};

/// An authorization request of a client that the user has not answered.
pub(in crate::domain) struct Request {
    pub client_id: String,
    pub redirect_uri: String,
    pub code_challenge: String,
    pub state: Option<String>,
    pub scope: GrantScope,
    pub resource: Option<String>,
    /// The user who opened the request first.
    pub user_id: Option<i64>,
    pub expires_at: i64,
}

/// Stores a request, and deletes expired ones.
pub(in crate::domain) fn insert(conn: &Connection, hash: &TokenHash, request: &Request, now: i64) -> Result<()> {
    delete_expired(conn, now)?;
    let Request { client_id, redirect_uri, code_challenge, state, scope, resource, user_id, expires_at } = request;
    let sql =
        "INSERT INTO oauth_request (request_hash, client_id, redirect_uri, code_challenge, state, scope, resource,
                                          user_id, expires_at)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let values =
        params![hash, client_id, redirect_uri, code_challenge, state, scope.as_str(), resource, user_id, expires_at];
    run(conn, sql, values).map(drop)
}

pub(in crate::domain) fn by_hash(conn: &Connection, hash: &TokenHash) -> Result<Option<Request>> {
    let sql = "SELECT client_id, redirect_uri, code_challenge, state, scope, resource, user_id, expires_at
               FROM oauth_request WHERE request_hash = ?";
    one(conn, sql, [hash], |row| {
        Ok(Request {
            client_id: row.get("client_id")?,
            redirect_uri: row.get("redirect_uri")?,
            code_challenge: row.get("code_challenge")?,
            state: row.get("state")?,
            scope: grant_scope(row, "scope")?,
            resource: row.get("resource")?,
            user_id: row.get("user_id")?,
            expires_at: row.get("expires_at")?,
        })
    })
}

/// Assigns the request to a user. Only this user can answer it.
pub(in crate::domain) fn claim(conn: &Connection, hash: &TokenHash, user_id: i64) -> Result<()> {
    run(conn, "UPDATE oauth_request SET user_id = ? WHERE request_hash = ?", params![user_id, hash]).map(drop)
}

pub(in crate::domain) fn delete(conn: &Connection, hash: &TokenHash) -> Result<()> {
    run(conn, "DELETE FROM oauth_request WHERE request_hash = ?", [hash]).map(drop)
}

/// Deletes expired requests. Returns how many were deleted.
pub(in crate::domain) fn delete_expired(conn: &Connection, now: i64) -> Result<usize> {
    run(conn, "DELETE FROM oauth_request WHERE expires_at <= ?", [now])
}
