//! Writes audit events.

use std::net::IpAddr;

use rusqlite::{Connection, params};
use serde_json::Value;

use crate::{
    db::sql::{exists, run},
    error::Result,
};

/// The kind of the event that a user has changed sources in a draft.
pub(in crate::domain) const DRAFT_SOURCE: &str = "draft.source";

/// Where an event comes from.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) struct Origin<'c> {
    /// Time in Unix milliseconds.
    pub(in crate::domain) ts: i64,
    /// Address of the client.
    pub(in crate::domain) address: Option<IpAddr>,
    /// Id of the request.
    pub(in crate::domain) request_id: Option<&'c str>,
}

impl Origin<'_> {
    fn address_text(&self) -> Option<String> {
        self.address.map(|address| address.to_string())
    }
}

/// An event without a request, at this time.
impl From<i64> for Origin<'_> {
    fn from(ts: i64) -> Self {
        Self { ts, address: None, request_id: None }
    }
}

/// Inserts an event.
pub(in crate::domain) fn insert<'o>(
    conn: &Connection,
    origin: impl Into<Origin<'o>>,
    kind: &str,
    actor_id: Option<i64>,
    organization_id: Option<&str>,
    details: &Value,
) -> Result<()> {
    write(conn, origin.into(), (kind, None), actor_id, organization_id, details)
}

/// Inserts an event, or increments the count of an earlier event with the same `key`, which then has the origin of the
/// later one.
pub(in crate::domain) fn repeat(
    conn: &Connection,
    origin: Origin<'_>,
    kind: &str,
    key: &str,
    actor_id: Option<i64>,
    organization_id: Option<&str>,
    details: &Value,
) -> Result<()> {
    write(conn, origin, (kind, Some(key)), actor_id, organization_id, details)
}

fn write(
    conn: &Connection,
    origin: Origin<'_>,
    (kind, key): (&str, Option<&str>),
    actor_id: Option<i64>,
    organization_id: Option<&str>,
    details: &Value,
) -> Result<()> {
    run(
        conn,
        "INSERT INTO audit (ts, kind, actor_id, organization_id, details, repeat_key, address, request_id)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (repeat_key) WHERE repeat_key IS NOT NULL
         DO UPDATE SET details = json_set(details, '$.count', coalesce(details ->> '$.count', 1) + 1),
                       address = excluded.address, request_id = excluded.request_id",
        params![
            origin.ts,
            kind,
            actor_id,
            organization_id,
            details.to_string(),
            key,
            origin.address_text(),
            origin.request_id
        ],
    )?;
    Ok(())
}

/// The key of the event that a user has changed sources in the draft with this map.
pub(in crate::domain) fn source_key(workspace_pk: i64, user_id: i64) -> String {
    format!("{DRAFT_SOURCE} {workspace_pk} {user_id}")
}

/// Whether the log has the event that a user has changed sources in the draft with this map.
pub(in crate::domain) fn has_changed_source(conn: &Connection, workspace_pk: i64, user_id: i64) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM audit WHERE repeat_key = ?)";
    exists(conn, sql, [source_key(workspace_pk, user_id)])
}
