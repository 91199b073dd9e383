//! The log of deliveries.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{exists, one, run},
    domain::{
        paging::{Page, Window, page},
        webhooks::model::{DeliveryState, WebhookDelivery},
    },
    error::Result,
};

/// What a delivery is about.
#[derive(Debug, Clone)]
pub(in crate::domain) struct StoredDelivery {
    pub id: i64,
    pub webhook_id: String,
    pub organization_id: String,
    pub message_id: String,
    pub event: String,
    pub workspace_pk: Option<i64>,
    pub subject: Option<String>,
    pub part: Option<i64>,
    pub actor_id: Option<i64>,
    pub changes: Option<(i64, i64)>,
    pub created_at: i64,
    pub tries: i64,
}

fn delivery(row: &Row<'_>) -> rusqlite::Result<WebhookDelivery> {
    let state: DeliveryState = row.get("state")?;
    let due_at: i64 = row.get("due_at")?;
    Ok(WebhookDelivery {
        id: row.get("id")?,
        message_id: row.get("message_id")?,
        event: row.get("event")?,
        workspace_id: row.get("workspace_id")?,
        state,
        created_at: row.get("created_at")?,
        tries: row.get("tries")?,
        next_try_at: (state == DeliveryState::Pending).then_some(due_at),
        tried_at: row.get("tried_at")?,
        status: row.get("status")?,
        duration_ms: row.get("duration_ms")?,
        error: row.get("error")?,
    })
}

/// Selects what [`delivery`] reads. A pause of the webhook postpones the next try.
const SELECT: &str = "SELECT d.id, d.message_id, d.event, d.state, d.created_at, d.tries,
    iif(d.event = 'ping', d.due_at, max(d.due_at, (SELECT w.paused_until FROM webhook w WHERE w.id = d.webhook_id)))
        AS due_at, d.tried_at, d.status,
    d.duration_ms, d.error,
    (SELECT p.id FROM workspace p
     WHERE p.pk = d.workspace_pk AND p.visibility <> 'private' AND p.deleted_at IS NULL) AS workspace_id
    FROM webhook_delivery d WHERE d.webhook_id = ?";

/// The deliveries of a webhook, newest first.
pub(in crate::domain) fn list(
    conn: &Connection,
    webhook_id: &str,
    window: &Window<i64>,
) -> Result<Page<WebhookDelivery>> {
    let sql = format!("{SELECT} AND d.newest_first > ? ORDER BY d.newest_first LIMIT ?");
    page(conn, &sql, params![webhook_id, window.after, window.rows()], window, |row| {
        let delivery = delivery(row)?;
        Ok((-delivery.id, delivery))
    })
}

/// A delivery of a webhook.
pub(in crate::domain) fn find(conn: &Connection, webhook_id: &str, id: i64) -> Result<Option<WebhookDelivery>> {
    one(conn, &format!("{SELECT} AND d.id = ?"), params![webhook_id, id], delivery)
}

/// Queues a test. Returns its id.
pub(in crate::domain) fn insert_ping(
    conn: &Connection,
    (webhook_id, message_id): (&str, &str),
    actor_id: Option<i64>,
    now: i64,
) -> Result<i64> {
    let sql = "INSERT INTO webhook_delivery (webhook_id, message_id, event, actor_id, created_at, state, due_at)
               VALUES (?, ?, 'ping', ?, ?, 'pending', ?)";
    run(conn, sql, params![webhook_id, message_id, actor_id, now, now])?;
    Ok(conn.last_insert_rowid())
}

/// Whether a test waits.
pub(in crate::domain) fn has_pending_ping(conn: &Connection, webhook_id: &str) -> Result<bool> {
    let sql =
        "SELECT EXISTS (SELECT 1 FROM webhook_delivery WHERE webhook_id = ? AND state = 'pending' AND event = 'ping')";
    exists(conn, sql, [webhook_id])
}

/// Queues a delivery again, with all tries.
pub(in crate::domain) fn requeue(conn: &Connection, id: i64, now: i64) -> Result<()> {
    let sql = "UPDATE webhook_delivery SET state = 'pending', due_at = ?, tries = 0 WHERE id = ?";
    run(conn, sql, params![now, id]).map(drop)
}

/// Deletes the oldest deliveries of a webhook that do not wait, except `keep`.
pub(in crate::domain) fn trim(conn: &Connection, webhook_id: &str, keep: i64) -> Result<()> {
    let sql = "DELETE FROM webhook_delivery WHERE webhook_id = ?1 AND state <> 'pending' AND newest_first >= (
                   SELECT newest_first FROM webhook_delivery WHERE webhook_id = ?1 AND state <> 'pending'
                   ORDER BY newest_first LIMIT 1 OFFSET ?2)";
    run(conn, sql, params![webhook_id, keep]).map(drop)
}

/// Deletes deliveries from before this time.
pub(in crate::domain) fn delete_old(conn: &Connection, before: i64) -> Result<usize> {
    run(conn, "DELETE FROM webhook_delivery WHERE created_at < ?", [before])
}
