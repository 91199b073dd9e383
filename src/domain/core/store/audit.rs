//! Writes audit events.

use rusqlite::{Connection, params};
use serde_json::Value;

use crate::{db::sql::run, error::Result};

/// Inserts an event.
pub(in crate::domain) fn insert(
    conn: &Connection,
    ts: i64,
    kind: &str,
    actor_id: Option<i64>,
    organization_id: Option<&str>,
    details: &Value,
) -> Result<()> {
    run(
        conn,
        "INSERT INTO audit (ts, kind, actor_id, organization_id, details) VALUES (?, ?, ?, ?, ?)",
        params![ts, kind, actor_id, organization_id, details.to_string()],
    )?;
    Ok(())
}

/// Inserts an event, or increments the count of an earlier event with the same `key`.
pub(in crate::domain) fn repeat(conn: &Connection, ts: i64, kind: &str, key: &str, details: &Value) -> Result<()> {
    run(
        conn,
        "INSERT INTO audit (ts, kind, details, repeat_key) VALUES (?, ?, ?, ?)
         ON CONFLICT (repeat_key) WHERE repeat_key IS NOT NULL
         DO UPDATE SET details = json_set(details, '$.count', coalesce(details ->> '$.count', 1) + 1)",
        params![ts, kind, details.to_string(), key],
    )?;
    Ok(())
}
