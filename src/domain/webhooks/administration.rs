//! Lists and disables webhooks for the operator. URLs can contain secrets and are not shown.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    DISABLED,
    store::{self, webhooks::StoredWebhook},
};
use crate::{
    domain::{
        core::{Core, Reads, SystemTx, insert_audit_event},
        organizations,
    },
    error::{Error, Result},
};

/// The webhooks that an operation selects.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WebhookSelection {
    /// The webhook with this id.
    Webhook(String),
    /// The webhooks of the organization with this slug.
    Organization(String),
    /// All webhooks of the instance.
    All,
}

/// Lists webhooks for the operator, oldest first.
pub fn list_selected(tx: &SystemTx<'_>, selection: &WebhookSelection) -> Result<Vec<Value>> {
    let core = tx.core();
    let shown = |webhook: StoredWebhook| {
        let health = &webhook.health;
        let state = match (webhook.is_enabled, health.failing_since) {
            (false, _) => "disabled",
            (true, Some(_)) => "failing",
            (true, None) => "active",
        };
        let events: Vec<&str> = webhook.events.iter().map(|event| event.as_str()).collect();
        Ok(json!({
            "id": webhook.id,
            "organization": store::webhooks::organization_slug(core.conn, &webhook.organization_id)?,
            "name": webhook.name,
            "host": webhook.host,
            "format": webhook.format,
            "events": events,
            "state": state,
            "disabledReason": webhook.disabled_reason,
            "pending": webhook.pending,
            "deliveredAt": health.delivered_at,
            "lastError": health.last_error,
        }))
    };
    selected(core, selection)?.into_iter().map(shown).collect()
}

/// Disables webhooks for the operator. Returns the number of those that were enabled. Administrators of the organization can
/// enable them again.
pub fn disable_selected(tx: &mut SystemTx<'_>, selection: &WebhookSelection) -> Result<usize> {
    let core = tx.core();
    let webhooks = selected(core, selection)?;
    if let (WebhookSelection::Webhook(id), true) = (selection, webhooks.is_empty()) {
        return Err(Error::invalid("id", format!("there is no webhook `{id}`")));
    }
    let mut disabled = 0;
    for mut webhook in webhooks.into_iter().filter(|webhook| webhook.is_enabled) {
        webhook.is_enabled = false;
        webhook.updated_at = core.now;
        store::webhooks::update(core.conn, &webhook)?;
        store::queue::end_pending(core.conn, Some(&webhook.id), DISABLED)?;
        let details = json!({ "webhookId": webhook.id, "host": webhook.host, "reason": "operator" });
        let organization = Some(webhook.organization_id.as_str());
        insert_audit_event(core.conn, core.origin(), "webhook.disable", core.actor(), organization, &details)?;
        disabled += 1;
    }
    Ok(disabled)
}

fn selected(core: &Core<'_>, selection: &WebhookSelection) -> Result<Vec<StoredWebhook>> {
    match selection {
        WebhookSelection::Webhook(id) => Ok(store::webhooks::by_id(core.conn, id)?.into_iter().collect()),
        WebhookSelection::Organization(slug) => {
            let id = organizations::id_by_slug(core.conn, slug)?
                .ok_or_else(|| Error::invalid("org", format!("there is no organization `{slug}`")))?;
            store::webhooks::all_of(core.conn, Some(&id))
        }
        WebhookSelection::All => store::webhooks::all_of(core.conn, None),
    }
}
