//! Queues events for webhooks.

use rusqlite::{Connection, params};

use crate::{db::sql::run, domain::core::webhook_events::WebhookNotice, error::Result};

/// Queues an event for each enabled webhook that reports it.
pub(in crate::domain) fn queue(
    conn: &Connection,
    notice: &WebhookNotice<'_>,
    message_id: &str,
    actor_id: Option<i64>,
    now: i64,
) -> Result<()> {
    let sql = "INSERT INTO webhook_delivery (webhook_id, message_id, event, workspace_pk, subject, part, actor_id,
                                             created_at, state, due_at)
               SELECT w.id, ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'pending', ?7 FROM webhook w
               WHERE w.organization_id = ?8 AND w.is_enabled
                 AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = ?2)
                 AND (?3 IS NULL OR NOT w.is_filtered
                      OR EXISTS (SELECT 1 FROM webhook_workspace f WHERE f.webhook_id = w.id AND f.workspace_pk = ?3))
                 AND NOT EXISTS (SELECT 1 FROM workspace p WHERE p.pk = ?3 AND p.visibility = 'private')";
    let params = params![
        message_id,
        notice.event,
        notice.workspace_pk,
        notice.subject,
        notice.part,
        actor_id,
        now,
        notice.organization_id
    ];
    run(conn, sql, params).map(drop)
}
