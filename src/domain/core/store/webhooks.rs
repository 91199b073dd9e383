//! Queues events for webhooks.

use rusqlite::{Connection, params};

use crate::{db::sql::run, error::Result};

/// An event to queue.
pub(in crate::domain) struct NewEvent<'a> {
    pub message_id: &'a str,
    pub event: &'static str,
    pub organization_id: &'a str,
    pub workspace_pk: Option<i64>,
    pub subject: &'a str,
    pub part: Option<i64>,
    pub actor_id: Option<i64>,
}

/// Queues an event for each enabled webhook that reports it. If two identical events are
/// pending, at least one of them is not being sent yet and will report the current state, so repeated actions of a user do
/// not fill the queue.
pub(in crate::domain) fn queue(conn: &Connection, new: &NewEvent<'_>, now: i64) -> Result<()> {
    let sql = "INSERT INTO webhook_delivery (webhook_id, message_id, event, workspace_pk, subject, part, actor_id,
                                             created_at, state, due_at)
               SELECT w.id, ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'pending', ?7 FROM webhook w
               WHERE w.organization_id = ?8 AND w.is_enabled
                 AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = ?2)
                 AND (?3 IS NULL OR NOT w.is_filtered
                      OR EXISTS (SELECT 1 FROM webhook_workspace f WHERE f.webhook_id = w.id AND f.workspace_pk = ?3))
                 AND NOT EXISTS (SELECT 1 FROM workspace p WHERE p.pk = ?3
                                 AND (p.visibility = 'private' OR p.base_pk IS NOT NULL))
                 AND (SELECT count(*) FROM webhook_delivery d
                      WHERE d.webhook_id = w.id AND d.state = 'pending' AND d.event = ?2 AND d.subject = ?4
                        AND d.part IS ?5 AND d.actor_id IS ?6) < 2";
    let params = params![
        new.message_id,
        new.event,
        new.workspace_pk,
        new.subject,
        new.part,
        new.actor_id,
        now,
        new.organization_id
    ];
    run(conn, sql, params).map(drop)
}
