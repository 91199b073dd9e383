//! Credentials of all users, which are ended after a backup was restored.

use rusqlite::Connection;

use super::store;
use crate::error::Result;

/// Ends all sessions. Returns how many ended.
pub(in crate::domain) fn end_all_sessions(conn: &Connection, now: i64) -> Result<usize> {
    store::sessions::end_of_all_users(conn, now)
}

/// Disconnects all connected apps. Returns the number of revoked grants.
pub(in crate::domain) fn disconnect_all_apps(conn: &Connection, now: i64) -> Result<usize> {
    store::connectors::revoke_of_all_users(conn, now)
}

/// Revokes all personal access tokens. Returns how many were revoked.
pub(in crate::domain) fn revoke_all_tokens(conn: &Connection, now: i64) -> Result<usize> {
    store::tokens::revoke_of_all_users(conn, now)
}
