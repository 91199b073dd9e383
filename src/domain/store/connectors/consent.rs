//! Requests for consent.

use rusqlite::{Connection, params};

use crate::{
    auth::TokenHash,
    domain::{
        access::{GrantScope, grant_scope},
        store::{one, run},
    },
    error::Result,
};

/// What a client asks for, until the user has answered.
pub(in crate::domain) struct Request {
    pub client_id: String,
    pub redirect_uri: String,
    pub code_challenge: String,
    pub state: Option<String>,
    pub scope: GrantScope,
    pub resource: Option<String>,
    /// Who looked at it first.
    pub user_id: Option<i64>,
    pub expires_at: i64,
}

/// Keeps a request; those that have run out go.
pub(in crate::domain) fn insert(conn: &Connection, hash: &TokenHash, request: &Request, now: i64) -> Result<()> {
    forget(conn, now)?;
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

/// From now on the request is this user's to answer.
pub(in crate::domain) fn claim(conn: &Connection, hash: &TokenHash, user_id: i64) -> Result<()> {
    run(conn, "UPDATE oauth_request SET user_id = ? WHERE request_hash = ?", params![user_id, hash]).map(drop)
}

pub(in crate::domain) fn delete(conn: &Connection, hash: &TokenHash) -> Result<()> {
    run(conn, "DELETE FROM oauth_request WHERE request_hash = ?", [hash]).map(drop)
}

/// Forgets requests that nobody can answer any more. Answers how many there were.
pub(in crate::domain) fn forget(conn: &Connection, now: i64) -> Result<usize> {
    run(conn, "DELETE FROM oauth_request WHERE expires_at <= ?", [now])
}
