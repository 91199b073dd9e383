//! The queue: what waits for its first try or for a retry.

use rusqlite::{Connection, Row, params};

use super::deliveries::StoredDelivery;
use crate::{
    db::sql::{all, one, run},
    domain::webhooks::model::DeliveryState,
    error::Result,
    webhooks::Attempt,
};

fn queued(row: &Row<'_>) -> rusqlite::Result<StoredDelivery> {
    let first: Option<i64> = row.get("first_change")?;
    let last: Option<i64> = row.get("last_change")?;
    Ok(StoredDelivery {
        id: row.get("id")?,
        webhook_id: row.get("webhook_id")?,
        organization_id: row.get("organization_id")?,
        message_id: row.get("message_id")?,
        event: row.get("event")?,
        workspace_pk: row.get("workspace_pk")?,
        subject: row.get("subject")?,
        part: row.get("part")?,
        actor_id: row.get("actor_id")?,
        changes: first.zip(last),
        created_at: row.get("created_at")?,
        tries: row.get("tries")?,
    })
}

const COLUMNS: &str = "d.id, d.webhook_id, w.organization_id, d.message_id, d.event, d.workspace_pk, d.subject, d.part,
    d.actor_id, d.first_change, d.last_change, d.created_at, d.tries";

/// The next due delivery of each webhook that is not paused, a retry before others, or a test: first of the webhooks that were not tried for the
/// longest time.
pub(in crate::domain) fn due(conn: &Connection, now: i64) -> Result<Vec<StoredDelivery>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM webhook w JOIN webhook_delivery d ON d.id = (
             SELECT n.id FROM webhook_delivery n
             WHERE n.webhook_id = w.id AND n.state = 'pending' AND n.due_at <= ?1 AND (w.is_enabled OR n.event = 'ping')
             ORDER BY n.event = 'ping' DESC, n.tries > 0 DESC, n.due_at, n.id LIMIT 1)
         WHERE w.paused_until <= ?1 OR d.event = 'ping' ORDER BY w.tried_at, w.id"
    );
    all(conn, &sql, [now], queued)
}

/// A delivery that waits.
pub(in crate::domain) fn pending(conn: &Connection, id: i64) -> Result<Option<StoredDelivery>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
         WHERE d.id = ? AND d.state = 'pending' AND (w.is_enabled OR d.event = 'ping')"
    );
    one(conn, &sql, [id], queued)
}

/// Number of deliveries that wait, of all webhooks.
pub(in crate::domain) fn waiting(conn: &Connection) -> Result<i64> {
    let sql = "SELECT count(*) FROM webhook_delivery WHERE state = 'pending'";
    Ok(one(conn, sql, [], |row| row.get(0))?.unwrap_or_default())
}

/// Records a try, unless the delivery has ended since.
pub(in crate::domain) fn record(
    conn: &Connection,
    id: i64,
    attempt: &Attempt,
    (state, due_at): (DeliveryState, i64),
    now: i64,
) -> Result<()> {
    let sql = "UPDATE webhook_delivery SET state = ?, due_at = ?, tries = tries + 1, tried_at = ?, status = ?,
                                           duration_ms = ?, error = ? WHERE id = ? AND state = 'pending'";
    let params = params![state, due_at, now, attempt.status, attempt.duration_ms, attempt.error, id];
    run(conn, sql, params).map(drop)
}

/// Ends a delivery without a try.
pub(in crate::domain) fn end(conn: &Connection, id: i64, state: DeliveryState, why: &str) -> Result<()> {
    run(conn, "UPDATE webhook_delivery SET state = ?, error = ? WHERE id = ?", params![state, why, id]).map(drop)
}

/// Ends everything that waits for a webhook, or for all.
pub(in crate::domain) fn end_pending(conn: &Connection, webhook_id: Option<&str>, why: &str) -> Result<usize> {
    let sql = "UPDATE webhook_delivery SET state = 'failed', error = ?1
               WHERE state = 'pending' AND (?2 IS NULL OR webhook_id = ?2)";
    run(conn, sql, params![why, webhook_id])
}

/// Webhooks with more than `merged_from` deliveries that wait and can be merged, and those with more than `limit`.
pub(in crate::domain) fn crowded(conn: &Connection, (merged_from, limit): (i64, i64)) -> Result<Vec<String>> {
    let sql = "SELECT webhook_id FROM webhook_delivery WHERE state = 'pending' GROUP BY webhook_id
               HAVING count(*) > ?2
                   OR count(*) > ?1 AND count(first_change) > count(DISTINCT iif(first_change IS NULL, NULL, workspace_pk))";
    all(conn, sql, [merged_from, limit], |row| row.get(0))
}

/// The changes of workspaces that wait for a webhook, except `sending`: id, workspace, first and last change, oldest
/// first.
pub(in crate::domain) fn pending_changes(
    conn: &Connection,
    webhook_id: &str,
    sending: Option<i64>,
) -> Result<Vec<(i64, i64, i64, i64)>> {
    let sql = "SELECT id, workspace_pk, first_change, last_change FROM webhook_delivery
               WHERE webhook_id = ? AND state = 'pending' AND first_change IS NOT NULL AND id IS NOT ? ORDER BY id";
    all(conn, sql, params![webhook_id, sending], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
}

/// Extends a delivery to more changes, and deletes the deliveries that it replaces.
pub(in crate::domain) fn merge(conn: &Connection, id: i64, (first, last): (i64, i64), replaced: &[i64]) -> Result<()> {
    let sql = "UPDATE webhook_delivery SET first_change = ?, last_change = ? WHERE id = ?";
    run(conn, sql, params![first, last, id])?;
    for other in replaced {
        run(conn, "DELETE FROM webhook_delivery WHERE id = ?", [other])?;
    }
    Ok(())
}

/// Ends the oldest deliveries that wait for a webhook, except `keep` and `sending`.
pub(in crate::domain) fn drop_oldest(
    conn: &Connection,
    webhook_id: &str,
    (keep, sending): (i64, Option<i64>),
    why: &str,
) -> Result<usize> {
    let sql = "UPDATE webhook_delivery SET state = 'failed', error = ?4 WHERE webhook_id = ?1 AND state = 'pending'
               AND id IS NOT ?3 AND id <= (SELECT id FROM webhook_delivery WHERE webhook_id = ?1 AND state = 'pending'
                                           ORDER BY id DESC LIMIT 1 OFFSET ?2)";
    run(conn, sql, params![webhook_id, keep, sending, why])
}
