//! Events of sign-in, tokens, permissions and administration.

use rusqlite::{Connection, params};
use serde_json::Value;

use super::run;
use crate::error::Result;

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
