//! Audit events of sign-in, tokens, permissions, and administration.

use rusqlite::{Connection, Row, params};
use serde_json::Value;

use crate::{
    db::sql::{all, run},
    domain::instance::audit::{Actor, AuditEvent, AuditQuery},
    error::Result,
};

/// Deletes at most `most` events from before `before`. Returns how many were deleted.
pub(in crate::domain) fn delete_old(conn: &Connection, before: i64, most: usize) -> Result<usize> {
    let sql = "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE ts < ? ORDER BY ts LIMIT ?)";
    run(conn, sql, params![before, i64::try_from(most).unwrap_or(i64::MAX)])
}

fn event(row: &Row<'_>) -> rusqlite::Result<AuditEvent> {
    let actor_id: Option<i64> = row.get("actor_id")?;
    let login: Option<String> = row.get("login")?;
    let actor = match (actor_id, login) {
        (Some(id), Some(login)) => Some(Actor { id, display_name: row.get("display_name")?, login }),
        _ => None,
    };
    let details: String = row.get("details")?;
    Ok(AuditEvent {
        id: row.get("id")?,
        kind: row.get("kind")?,
        ts: row.get("ts")?,
        details: serde_json::from_str(&details).unwrap_or(Value::String(details)),
        actor_id,
        actor,
        org_id: row.get("organization_id")?,
        address: row.get("address")?,
        request_id: row.get("request_id")?,
        objects: Vec::new(),
    })
}

/// Events between two ids, newest first. If there are more than the limit, returns those closest to `after`, so that a
/// client that polls misses none; without `after`, the newest.
pub(in crate::domain) fn page(conn: &Connection, page: &AuditQuery) -> Result<Vec<AuditEvent>> {
    let order = if page.after.is_some() { "ASC" } else { "DESC" };
    // A condition for all events would keep SQLite from using the index.
    let by = if page.actor.is_some() { "a.actor_id = ?5" } else { "?5 IS NULL" };
    let sql = format!(
        "SELECT a.id, a.ts, a.kind, a.actor_id, a.organization_id, a.details, a.address, a.request_id, u.login, u.display_name
         FROM audit a LEFT JOIN user u ON u.id = a.actor_id
         WHERE a.id < coalesce(?1, 9223372036854775807) AND a.id > coalesce(?2, 0) AND (?3 IS NULL OR a.kind = ?3) AND {by}
         ORDER BY a.id {order} LIMIT ?4"
    );
    let mut events = all(conn, &sql, params![page.before, page.after, page.kind, page.limit, page.actor], event)?;
    events.sort_by_key(|event| std::cmp::Reverse(event.id));
    Ok(events)
}
