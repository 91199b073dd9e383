//! The log of deliveries, tests, and redelivery.

pub use super::model::WebhookDelivery;
use super::{
    manage::{self, expect_on, stored},
    model::DeliveryState,
    store,
};
use crate::{
    domain::{
        core::{OrgAdminTx, Reads, webhook_message_id},
        paging::{Page, Paging},
    },
    error::{Error, Result},
};

const NOT_FOUND: Error = Error::NotFound("delivery");

/// Lists the deliveries of a webhook, newest first.
pub fn list(tx: &OrgAdminTx<'_>, webhook_id: &str, paging: &Paging) -> Result<Page<WebhookDelivery>> {
    let webhook = stored(tx, webhook_id)?;
    store::deliveries::list(tx.core().conn, &webhook.id, &paging.window("webhook-deliveries")?)
}

/// Queues a test. It is sent once, also if the webhook is disabled.
pub fn test(tx: &mut OrgAdminTx<'_>, webhook_id: &str) -> Result<WebhookDelivery> {
    let core = tx.core();
    let webhook = stored(tx, webhook_id)?;
    expect_on(core)?;
    expect_readable(&webhook)?;
    if store::deliveries::has_pending_ping(core.conn, webhook_id)? {
        return Err(Error::Conflict("a test of this webhook waits already; see its deliveries".into()));
    }
    let id = store::deliveries::insert_ping(core.conn, (webhook_id, &webhook_message_id()), core.actor(), core.now)?;
    manage::audit(core, "webhook.test", &webhook)?;
    store::deliveries::find(core.conn, webhook_id, id)?.ok_or(NOT_FOUND)
}

/// Queues a delivery again, with the same message id.
pub fn redeliver(tx: &mut OrgAdminTx<'_>, webhook_id: &str, id: i64) -> Result<WebhookDelivery> {
    let core = tx.core();
    let webhook = stored(tx, webhook_id)?;
    expect_on(core)?;
    let delivery = store::deliveries::find(core.conn, webhook_id, id)?.ok_or(NOT_FOUND)?;
    if delivery.state == DeliveryState::Pending {
        return Err(Error::Conflict("this delivery waits already; see the time of its next try".into()));
    }
    expect_readable(&webhook)?;
    if !webhook.is_enabled && delivery.event != super::PING {
        return Err(Error::Conflict("this webhook is disabled; enable it first".into()));
    }
    store::deliveries::requeue(core.conn, id, core.now)?;
    manage::audit(core, "webhook.redeliver", &webhook)?;
    store::deliveries::find(core.conn, webhook_id, id)?.ok_or(NOT_FOUND)
}

fn expect_readable(webhook: &store::webhooks::StoredWebhook) -> Result<()> {
    if webhook.url.is_empty() || webhook.secret.is_empty() {
        return Err(Error::Conflict(
            "the URL and the secret of this webhook were lost with the keys of the instance; create another webhook"
                .into(),
        ));
    }
    Ok(())
}
