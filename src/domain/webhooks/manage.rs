//! Managing the webhooks of an organization, as one of its administrators.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::json;

pub use super::model::{NewWebhook, Webhook, WebhookPatch, WebhookSecret};
use super::{
    DISABLED, MAX_WEBHOOKS, OLD_SECRET_FOR, collecting,
    model::{WebhookFormat, WorkspaceIds},
    secret_purpose,
    store::{
        self,
        webhooks::{Health, StoredWebhook},
    },
    url_purpose,
};
use crate::{
    auth::keys::random,
    domain::{
        core::{Core, OrgAdminTx, Reads},
        input::Nullable,
        map::workspaces,
        paging::{Page, Paging},
        settings,
        values::{Visibility, WebAddress},
    },
    error::{Error, FieldPath, Problem, Result},
    secret::Secret,
    webhooks::secret_of,
};

const NOT_FOUND: Error = Error::NotFound("webhook");

/// Lists the webhooks of the organization, oldest first.
pub fn list(tx: &OrgAdminTx<'_>, paging: &Paging) -> Result<Page<Webhook>> {
    let core = tx.core();
    let page = store::webhooks::list(core.conn, tx.organization_id()?, &paging.window("webhooks")?)?;
    page.try_map(|webhook| shown(core, webhook))
}

/// Reads a webhook.
pub fn read(tx: &OrgAdminTx<'_>, id: &str) -> Result<Webhook> {
    shown(tx.core(), stored(tx, id)?)
}

/// Creates a webhook with a new secret. The caller of this function has checked the address of the URL.
pub fn create(tx: &mut OrgAdminTx<'_>, new: NewWebhook) -> Result<WebhookSecret> {
    let core = tx.core();
    expect_on(core)?;
    let organization_id = tx.organization_id()?.to_owned();
    let actual = store::webhooks::count(core.conn, &organization_id)? + 1;
    if actual > MAX_WEBHOOKS {
        let message = format!("an organization can have {MAX_WEBHOOKS} webhooks; delete one first");
        return Err(Error::LimitReached { limit: MAX_WEBHOOKS, actual, message });
    }
    let id = URL_SAFE_NO_PAD.encode(uuid::Uuid::now_v7().as_bytes());
    let workspaces = match &new.workspace_ids {
        Nullable::Value(ids) => Some(selected(tx, ids)?),
        Nullable::Absent | Nullable::Null => None,
    };
    let secret = secret_of(&random::<32>());
    let webhook = StoredWebhook {
        name: new.name.as_str().to_owned(),
        format: new.format.unwrap_or_default(),
        host: host(&new.url),
        url: sealed_url(core, &id, new.url)?,
        secret: core.shared.keys.seal(&secret_purpose(&id), secret.reveal().as_bytes())?,
        old_secret: None,
        old_secret_until: None,
        events: distinct(new.events)?,
        is_filtered: workspaces.is_some(),
        is_enabled: new.enabled.unwrap_or(true),
        after_change: collecting::begin(core)?,
        disabled_reason: None,
        disabled_at: None,
        health: Health::default(),
        created_at: core.now,
        created_by: core.actor(),
        updated_at: core.now,
        pending: 0,
        id,
        organization_id,
    };
    store::webhooks::insert(core.conn, &webhook)?;
    store::webhooks::set_workspaces(core.conn, &webhook.id, &workspaces.unwrap_or_default())?;
    audit(core, "webhook.create", &webhook)?;
    with_secret(core, webhook, &secret)
}

/// Updates a webhook. The caller of this function has checked the address of a new URL.
pub fn update(tx: &mut OrgAdminTx<'_>, id: &str, patch: WebhookPatch) -> Result<Webhook> {
    let core = tx.core();
    let mut webhook = stored(tx, id)?;
    if patch.format.is_some_and(|format| format != webhook.format) && patch.url.is_none() {
        // Otherwise, another format would reveal a URL that is not shown.
        return Err(Error::invalid("url", Problem::required(" with another `format`")));
    }
    webhook.name = patch.name.map_or(webhook.name, String::from);
    webhook.format = patch.format.unwrap_or(webhook.format);
    webhook.events = patch.events.map_or(Ok(webhook.events), distinct)?;
    if let Some(url) = patch.url {
        webhook.host = host(&url);
        webhook.url = sealed_url(core, id, url)?;
    }
    match &patch.workspace_ids {
        Nullable::Absent => {}
        Nullable::Null => {
            webhook.is_filtered = false;
            store::webhooks::set_workspaces(core.conn, id, &[])?;
        }
        Nullable::Value(ids) => {
            webhook.is_filtered = true;
            store::webhooks::set_workspaces(core.conn, id, &selected(tx, ids)?)?;
        }
    }
    match patch.enabled {
        Some(true) if !webhook.is_enabled => enable(tx, &mut webhook)?,
        Some(false) if webhook.is_enabled => {
            webhook.is_enabled = false;
            store::queue::end_pending(core.conn, Some(id), DISABLED)?;
        }
        _ => {}
    }
    webhook.updated_at = core.now;
    store::webhooks::update(core.conn, &webhook)?;
    audit(core, "webhook.update", &webhook)?;
    read(tx, id)
}

/// Enables a webhook: it sends what happens from now on.
fn enable(tx: &OrgAdminTx<'_>, webhook: &mut StoredWebhook) -> Result<()> {
    expect_on(tx.core())?;
    if webhook.url.is_empty() || webhook.secret.is_empty() {
        return Err(Error::Conflict(
            "the URL and the secret of this webhook were lost with the keys of the instance; create another webhook"
                .into(),
        ));
    }
    webhook.is_enabled = true;
    webhook.after_change = collecting::begin(tx.core())?;
    (webhook.disabled_reason, webhook.disabled_at) = (None, None);
    webhook.health = Health { failing_since: None, failures: 0, paused_until: 0, ..webhook.health.clone() };
    Ok(())
}

/// Deletes a webhook with its deliveries.
pub fn delete(tx: &mut OrgAdminTx<'_>, id: &str) -> Result<()> {
    let webhook = stored(tx, id)?;
    store::webhooks::delete(tx.core().conn, id)?;
    audit(tx.core(), "webhook.delete", &webhook)
}

/// Gives a webhook a new secret. The previous one signs too for a day.
pub fn rotate(tx: &mut OrgAdminTx<'_>, id: &str) -> Result<WebhookSecret> {
    let core = tx.core();
    let mut webhook = stored(tx, id)?;
    let secret = secret_of(&random::<32>());
    let sealed = core.shared.keys.seal(&secret_purpose(id), secret.reveal().as_bytes())?;
    let old = std::mem::replace(&mut webhook.secret, sealed);
    (webhook.old_secret, webhook.old_secret_until) =
        if old.is_empty() { (None, None) } else { (Some(old), Some(core.now + OLD_SECRET_FOR)) };
    webhook.updated_at = core.now;
    store::webhooks::update(core.conn, &webhook)?;
    audit(core, "webhook.rotate", &webhook)?;
    with_secret(core, webhook, &secret)
}

/// A webhook of the organization.
pub(super) fn stored(tx: &OrgAdminTx<'_>, id: &str) -> Result<StoredWebhook> {
    store::webhooks::find(tx.core().conn, tx.organization_id()?, id)?.ok_or(NOT_FOUND)
}

/// Fails if webhooks are turned off.
pub(super) fn expect_on(core: &Core<'_>) -> Result<()> {
    if settings::webhooks_are_on(core)? {
        return Ok(());
    }
    Err(Error::Forbidden("webhooks are turned off for this instance; ask an administrator of the instance"))
}

fn shown(core: &Core<'_>, webhook: StoredWebhook) -> Result<Webhook> {
    let workspaces = store::webhooks::workspace_ids(core.conn, &webhook.id)?;
    let health = webhook.health;
    Ok(Webhook {
        url: shown_url(core, &webhook.id, webhook.format, &webhook.url, &webhook.host),
        id: webhook.id,
        name: webhook.name,
        format: webhook.format,
        events: webhook.events,
        workspace_ids: webhook.is_filtered.then_some(workspaces),
        enabled: webhook.is_enabled,
        disabled_reason: webhook.disabled_reason,
        disabled_at: webhook.disabled_at,
        failing_since: health.failing_since,
        last_status: health.last_status,
        last_error: health.last_error,
        delivered_at: health.delivered_at,
        pending: webhook.pending,
        old_secret_until: webhook.old_secret_until.filter(|until| *until > core.now),
        created_at: webhook.created_at,
        created_by: webhook.created_by,
        updated_at: webhook.updated_at,
    })
}

/// The URL as administrators see it. The URLs of Slack and Teams are secrets.
fn shown_url(core: &Core<'_>, id: &str, format: WebhookFormat, sealed: &[u8], host: &str) -> String {
    let url = core.shared.keys.open(&url_purpose(id), sealed).ok().and_then(|url| String::from_utf8(url).ok());
    match (format, url) {
        (WebhookFormat::Standard, Some(url)) => url,
        (_, Some(url)) => {
            let origin = url::Url::parse(&url).map(|url| url.origin().ascii_serialization());
            format!("{}/…", origin.unwrap_or_else(|_| format!("https://{host}")))
        }
        (_, None) => format!("https://{host}/…"),
    }
}

fn with_secret(core: &Core<'_>, webhook: StoredWebhook, secret: &Secret) -> Result<WebhookSecret> {
    Ok(WebhookSecret { webhook: shown(core, webhook)?, secret: secret.reveal().to_owned() })
}

/// Keys of the selected workspaces. Private workspaces are as unknown as those of other organizations.
fn selected(tx: &OrgAdminTx<'_>, ids: &WorkspaceIds) -> Result<Vec<i64>> {
    if ids.0.is_empty() {
        return Err(Error::invalid("workspaceIds", Problem::Items { min: 1, max: None }));
    }
    let mut selected = Vec::new();
    for (index, id) in ids.0.iter().enumerate() {
        let found = workspaces::living(tx.core().conn, id)?.map(|found| found.workspace);
        let own = found.filter(|workspace| workspace.org_id.as_deref() == tx.organization_id().ok());
        let Some(workspace) = own.filter(|workspace| workspace.visibility != Visibility::Private) else {
            let problem = "is not a workspace of this organization that webhooks can report; private workspaces are \
                           never reported";
            return Err(Error::invalid(FieldPath::item("workspaceIds", index), problem));
        };
        if !selected.contains(&workspace.pk) {
            selected.push(workspace.pk);
        }
    }
    Ok(selected)
}

fn host(url: &WebAddress) -> String {
    url.url().host_str().unwrap_or_default().to_owned()
}

fn sealed_url(core: &Core<'_>, id: &str, url: WebAddress) -> Result<Vec<u8>> {
    let url = String::from(url);
    if url.ends_with('…') {
        return Err(Error::invalid("url", "must be the complete URL; omit it to keep the current one"));
    }
    core.shared.keys.seal(&url_purpose(id), url.as_bytes())
}

/// The events without repetitions, in their order.
fn distinct<T: PartialEq>(events: Vec<T>) -> Result<Vec<T>> {
    if events.is_empty() {
        return Err(Error::invalid("events", Problem::Items { min: 1, max: None }));
    }
    Ok(events.into_iter().fold(Vec::new(), |mut kept, event| {
        if !kept.contains(&event) {
            kept.push(event);
        }
        kept
    }))
}

/// Records a change of a webhook, without its URL and secret.
pub(super) fn audit(core: &Core<'_>, kind: &str, webhook: &StoredWebhook) -> Result<()> {
    let details = json!({
        "webhookId": webhook.id,
        "name": webhook.name,
        "host": webhook.host,
        "format": webhook.format,
        "events": webhook.events,
        "enabled": webhook.is_enabled,
    });
    core.audit(kind, core.actor(), &details)
}
