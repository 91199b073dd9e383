//! Values that are encrypted with the sealing key of the instance.

use rusqlite::Connection;

use crate::{
    db::sql::{all, exists},
    error::Result,
};

/// Users and the sealed secrets of their authenticator apps.
pub(in crate::domain) fn second_factors(conn: &Connection) -> Result<Vec<(i64, Vec<u8>)>> {
    all(conn, "SELECT user_id, secret FROM user_second_factor", [], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Organizations and the sealed access tokens of their wiki connections.
pub(in crate::domain) fn wiki_connections(conn: &Connection) -> Result<Vec<(String, Vec<u8>)>> {
    all(conn, "SELECT organization_id, access_token FROM wiki_connection", [], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Webhooks and their sealed URLs. Databases of earlier versions have none.
pub(in crate::domain) fn webhooks(conn: &Connection) -> Result<Vec<(String, Vec<u8>)>> {
    if !exists(conn, "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'webhook')", [])? {
        return Ok(Vec::new());
    }
    all(conn, "SELECT id, url FROM webhook", [], |row| Ok((row.get(0)?, row.get(1)?)))
}
