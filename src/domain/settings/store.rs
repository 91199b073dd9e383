//! Settings that were changed while the server was running.

use rusqlite::{Connection, params};
use serde_json::Value;

use crate::{
    db::sql::{one, run},
    error::Result,
};

/// Value of a setting, as JSON.
pub(in crate::domain) fn get(conn: &Connection, key: &str) -> Result<Option<String>> {
    one(conn, "SELECT value FROM setting WHERE key = ?", [key], |row| row.get(0))
}

pub(in crate::domain) fn put(conn: &Connection, key: &str, value: &Value, by: Option<i64>, now: i64) -> Result<()> {
    run(
        conn,
        "INSERT OR REPLACE INTO setting (key, value, updated_at, updated_by) VALUES (?, ?, ?, ?)",
        params![key, value.to_string(), now, by],
    )?;
    Ok(())
}

pub(in crate::domain) fn delete(conn: &Connection, key: &str) -> Result<()> {
    run(conn, "DELETE FROM setting WHERE key = ?", [key])?;
    Ok(())
}
