//! Webhooks.

use rusqlite::{Connection, Row, params, types::Type};

use crate::{
    db::sql::{all, exists, one, run},
    domain::{
        core::WebhookEvent,
        paging::{Page, Window, page},
        webhooks::model::{DisabledReason, WebhookFormat},
    },
    error::Result,
};

/// A webhook as it is stored.
#[derive(Debug, Clone)]
pub(in crate::domain) struct StoredWebhook {
    pub id: String,
    pub organization_id: String,
    pub name: String,
    pub format: WebhookFormat,
    pub host: String,
    /// Sealed.
    pub url: Vec<u8>,
    /// Sealed.
    pub secret: Vec<u8>,
    /// Sealed.
    pub old_secret: Option<Vec<u8>>,
    pub old_secret_until: Option<i64>,
    pub events: Vec<WebhookEvent>,
    pub is_filtered: bool,
    pub is_enabled: bool,
    /// Changes up to this id are not sent.
    pub after_change: i64,
    pub disabled_reason: Option<DisabledReason>,
    pub disabled_at: Option<i64>,
    pub health: Health,
    pub created_at: i64,
    pub created_by: Option<i64>,
    pub updated_at: i64,
    /// Number of deliveries that wait.
    pub pending: i64,
}

/// How the last tries of a webhook went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::domain) struct Health {
    /// First failed try after the last successful one.
    pub failing_since: Option<i64>,
    /// Failed tries after the last successful one.
    pub failures: i64,
    /// No tries before this time.
    pub paused_until: i64,
    /// Last try; 0: never.
    pub tried_at: i64,
    /// Last successful try.
    pub delivered_at: Option<i64>,
    pub last_status: Option<i64>,
    pub last_error: Option<String>,
}

const COLUMNS: &str = "w.id, w.organization_id, w.name, w.format, w.host, w.url, w.secret, w.old_secret,
    w.old_secret_until, w.events, w.is_filtered, w.is_enabled, w.after_change, w.disabled_reason, w.disabled_at,
    w.failing_since, w.failures, w.paused_until, w.tried_at, w.delivered_at, w.last_status, w.last_error, w.created_at,
    w.created_by, w.updated_at,
    (SELECT count(*) FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.state = 'pending') AS pending";

fn webhook(row: &Row<'_>) -> rusqlite::Result<StoredWebhook> {
    let events: String = row.get("events")?;
    let events = serde_json::from_str(&events)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into()))?;
    Ok(StoredWebhook {
        id: row.get("id")?,
        organization_id: row.get("organization_id")?,
        name: row.get("name")?,
        format: row.get("format")?,
        host: row.get("host")?,
        url: row.get("url")?,
        secret: row.get("secret")?,
        old_secret: row.get("old_secret")?,
        old_secret_until: row.get("old_secret_until")?,
        events,
        is_filtered: row.get("is_filtered")?,
        is_enabled: row.get("is_enabled")?,
        after_change: row.get("after_change")?,
        disabled_reason: row.get("disabled_reason")?,
        disabled_at: row.get("disabled_at")?,
        health: Health {
            failing_since: row.get("failing_since")?,
            failures: row.get("failures")?,
            paused_until: row.get("paused_until")?,
            tried_at: row.get("tried_at")?,
            delivered_at: row.get("delivered_at")?,
            last_status: row.get("last_status")?,
            last_error: row.get("last_error")?,
        },
        created_at: row.get("created_at")?,
        created_by: row.get("created_by")?,
        updated_at: row.get("updated_at")?,
        pending: row.get("pending")?,
    })
}

/// The webhooks of an organization, oldest first.
pub(in crate::domain) fn list(
    conn: &Connection,
    organization_id: &str,
    window: &Window<(i64, String)>,
) -> Result<Page<StoredWebhook>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM webhook w WHERE w.organization_id = ? AND (w.created_at, w.id) > (?, ?)
         ORDER BY w.created_at, w.id LIMIT ?"
    );
    page(conn, &sql, params![organization_id, window.after.0, window.after.1, window.rows()], window, |row| {
        let webhook = webhook(row)?;
        Ok(((webhook.created_at, webhook.id.clone()), webhook))
    })
}

/// The webhooks of an organization, or of all, oldest first.
pub(in crate::domain) fn all_of(conn: &Connection, organization_id: Option<&str>) -> Result<Vec<StoredWebhook>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM webhook w WHERE ?1 IS NULL OR w.organization_id = ?1 ORDER BY w.created_at, w.id"
    );
    all(conn, &sql, [organization_id], webhook)
}

/// A webhook of an organization.
pub(in crate::domain) fn find(conn: &Connection, organization_id: &str, id: &str) -> Result<Option<StoredWebhook>> {
    let sql = format!("SELECT {COLUMNS} FROM webhook w WHERE w.organization_id = ? AND w.id = ?");
    one(conn, &sql, [organization_id, id], webhook)
}

/// A webhook of any organization.
pub(in crate::domain) fn by_id(conn: &Connection, id: &str) -> Result<Option<StoredWebhook>> {
    one(conn, &format!("SELECT {COLUMNS} FROM webhook w WHERE w.id = ?"), [id], webhook)
}

pub(in crate::domain) fn count(conn: &Connection, organization_id: &str) -> Result<i64> {
    let sql = "SELECT count(*) FROM webhook WHERE organization_id = ?";
    Ok(one(conn, sql, [organization_id], |row| row.get(0))?.unwrap_or_default())
}

pub(in crate::domain) fn insert(conn: &Connection, webhook: &StoredWebhook) -> Result<()> {
    run(
        conn,
        "INSERT INTO webhook (id, organization_id, name, format, host, url, secret, events, is_filtered, is_enabled,
                              after_change, created_at, created_by, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            webhook.id,
            webhook.organization_id,
            webhook.name,
            webhook.format,
            webhook.host,
            webhook.url,
            webhook.secret,
            serde_json::to_string(&webhook.events)?,
            webhook.is_filtered,
            webhook.is_enabled,
            webhook.after_change,
            webhook.created_at,
            webhook.created_by,
            webhook.updated_at
        ],
    )
    .map(drop)
}

/// Writes everything but the id, the organization and the creation.
pub(in crate::domain) fn update(conn: &Connection, webhook: &StoredWebhook) -> Result<()> {
    let health = &webhook.health;
    run(
        conn,
        "UPDATE webhook SET name = ?, format = ?, host = ?, url = ?, secret = ?, old_secret = ?, old_secret_until = ?,
                            events = ?, is_filtered = ?, is_enabled = ?, after_change = ?, disabled_reason = ?,
                            disabled_at = ?, failing_since = ?, failures = ?, paused_until = ?, tried_at = ?,
                            delivered_at = ?, last_status = ?, last_error = ?, updated_at = ?
         WHERE id = ?",
        params![
            webhook.name,
            webhook.format,
            webhook.host,
            webhook.url,
            webhook.secret,
            webhook.old_secret,
            webhook.old_secret_until,
            serde_json::to_string(&webhook.events)?,
            webhook.is_filtered,
            webhook.is_enabled,
            webhook.after_change,
            webhook.disabled_reason,
            webhook.disabled_at,
            health.failing_since,
            health.failures,
            health.paused_until,
            health.tried_at,
            health.delivered_at,
            health.last_status,
            health.last_error,
            webhook.updated_at,
            webhook.id
        ],
    )
    .map(drop)
}

/// Deletes a webhook with its deliveries.
pub(in crate::domain) fn delete(conn: &Connection, id: &str) -> Result<()> {
    for sql in [
        "DELETE FROM webhook_delivery WHERE webhook_id = ?",
        "DELETE FROM webhook_workspace WHERE webhook_id = ?",
        "DELETE FROM webhook WHERE id = ?",
    ] {
        run(conn, sql, [id])?;
    }
    Ok(())
}

/// Ids of the selected workspaces that are not private or deleted.
pub(in crate::domain) fn workspace_ids(conn: &Connection, id: &str) -> Result<Vec<String>> {
    let sql = "SELECT p.id FROM webhook_workspace f JOIN workspace p ON p.pk = f.workspace_pk
               WHERE f.webhook_id = ? AND p.visibility <> 'private' AND p.deleted_at IS NULL ORDER BY p.id";
    all(conn, sql, [id], |row| row.get(0))
}

/// Replaces the selected workspaces.
pub(in crate::domain) fn set_workspaces(conn: &Connection, id: &str, workspaces: &[i64]) -> Result<()> {
    run(conn, "DELETE FROM webhook_workspace WHERE webhook_id = ?", [id])?;
    for pk in workspaces {
        run(conn, "INSERT INTO webhook_workspace (webhook_id, workspace_pk) VALUES (?, ?)", params![id, pk])?;
    }
    Ok(())
}

/// Disables a webhook whose URL and secret cannot be decrypted anymore, and deletes them.
pub(in crate::domain) fn discard(conn: &Connection, id: &str, now: i64) -> Result<()> {
    let sql = "UPDATE webhook SET is_enabled = 0, disabled_reason = 'keys', disabled_at = ?, url = x'', secret = x'',
                                  old_secret = NULL, old_secret_until = NULL WHERE id = ?";
    run(conn, sql, params![now, id]).map(drop)
}

/// Whether a webhook reports a workspace, as far as its selection is concerned.
pub(in crate::domain) fn reports(conn: &Connection, id: &str, workspace_pk: i64) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM webhook w WHERE w.id = ?1 AND (NOT w.is_filtered OR EXISTS (
                   SELECT 1 FROM webhook_workspace f WHERE f.webhook_id = ?1 AND f.workspace_pk = ?2)))";
    exists(conn, sql, params![id, workspace_pk])
}

/// The slug of an organization, for addresses.
pub(in crate::domain) fn organization_slug(conn: &Connection, id: &str) -> Result<Option<String>> {
    one(conn, "SELECT slug FROM organization WHERE id = ?", [id], |row| row.get(0))
}

/// Confirmed email addresses of the administrators of an organization who are not suspended, at most `limit`.
pub(in crate::domain) fn admin_emails(conn: &Connection, organization_id: &str, limit: u32) -> Result<Vec<String>> {
    let sql = "SELECT u.email FROM organization_member m JOIN user u ON u.id = m.user_id
               WHERE m.organization_id = ? AND m.role = 'org:admin' AND u.is_suspended = 0 AND u.email IS NOT NULL
                 AND u.is_email_confirmed ORDER BY m.created_at, m.rowid LIMIT ?";
    all(conn, sql, params![organization_id, limit], |row| row.get(0))
}
