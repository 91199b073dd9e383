//! Values that are encrypted with the sealing key of the instance, and share links, whose addresses need another key.

use rusqlite::Connection;

use crate::{
    db::sql::{all, exists, one},
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

/// Webhooks and their sealed URLs. A database that was only created in part has none.
pub(in crate::domain) fn webhooks(conn: &Connection) -> Result<Vec<(String, Vec<u8>)>> {
    if !has_table(conn, "webhook")? {
        return Ok(Vec::new());
    }
    all(conn, "SELECT id, url FROM webhook", [], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The number of share links that have not expired. A database that was only created in part has none.
pub(in crate::domain) fn share_links(conn: &Connection, now: i64) -> Result<usize> {
    if !has_table(conn, "share_link")? {
        return Ok(0);
    }
    let sql = "SELECT count(*) FROM share_link WHERE expires_at IS NULL OR expires_at > ?";
    let count: Option<i64> = one(conn, sql, [now], |row| row.get(0))?;
    Ok(count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0))
}

fn has_table(conn: &Connection, name: &str) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?)", [name])
}
