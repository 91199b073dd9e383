//! Records the results of tries: retries, the state of a webhook, and that it is disabled.

use serde_json::json;

use super::{
    DISABLED, DISABLED_AFTER, MAX_LOGGED, MAX_PAUSE, PING, RETRIES,
    model::{DeliveryState, DisabledReason},
    notice,
    store::{
        self,
        deliveries::StoredDelivery,
        webhooks::{Health, StoredWebhook},
    },
};
use crate::{
    domain::core::{Core, Reads, SystemTx, insert_audit_event},
    error::Result,
    webhooks::Attempt,
};

/// HTTP status of a receiver that wants no more requests.
const GONE: u16 = 410;
/// Minimum number of failed tries until a webhook is disabled: those of two deliveries.
const MIN_FAILURES: i64 = 16;

/// Records a try of a delivery. Returns whether it was successful.
pub(super) fn record(tx: &mut SystemTx<'_>, delivery: &StoredDelivery, attempt: &Attempt) -> Result<bool> {
    let core = tx.core();
    let Some(mut webhook) = store::webhooks::by_id(core.conn, &delivery.webhook_id)? else { return Ok(true) };
    let (now, is_ping) = (core.now, delivery.event == PING);
    let is_success = attempt.error.is_none();
    webhook.health = health(webhook.health, attempt, is_ping, now);
    let retry = usize::try_from(delivery.tries).ok().and_then(|tries| RETRIES.get(tries)).filter(|_| !is_ping);
    let outcome = match retry {
        _ if is_success => (DeliveryState::Delivered, now),
        Some(pause) if attempt.status != Some(GONE) => (DeliveryState::Pending, now + pause),
        _ => (DeliveryState::Failed, now),
    };
    store::queue::record(core.conn, delivery.id, attempt, outcome, now)?;
    let (id, event, host, tries) = (&webhook.id, &delivery.event, &webhook.host, delivery.tries + 1);
    let (status, error) = (attempt.status, attempt.error.as_deref());
    if is_success {
        tracing::debug!(webhook = id, event, host, status, "delivered a webhook");
    } else {
        tracing::info!(webhook = id, event, host, status, error, tries, "cannot deliver a webhook");
    }
    let health = &webhook.health;
    let is_failing = health.failing_since.is_some_and(|since| now - since >= DISABLED_AFTER);
    let reason = match attempt.status {
        Some(GONE) if !is_ping => Some(DisabledReason::Gone),
        _ if is_failing && health.failures >= MIN_FAILURES => Some(DisabledReason::Failing),
        _ => None,
    };
    match reason {
        Some(reason) if webhook.is_enabled && !is_success => disable(core, webhook, reason)?,
        _ => store::webhooks::update(core.conn, &webhook)?,
    }
    store::deliveries::trim(core.conn, &delivery.webhook_id, MAX_LOGGED)?;
    Ok(is_success)
}

/// The health of a webhook after a try. Failed tests do not count.
fn health(before: Health, attempt: &Attempt, is_ping: bool, now: i64) -> Health {
    let seen = Health {
        tried_at: now,
        last_status: attempt.status.map(i64::from),
        last_error: attempt.error.clone(),
        ..before
    };
    if attempt.error.is_none() {
        return Health { failing_since: None, failures: 0, paused_until: 0, delivered_at: Some(now), ..seen };
    }
    if is_ping {
        return seen;
    }
    let failures = seen.failures.saturating_add(1);
    let last = RETRIES.len() - 1;
    let pause = RETRIES[usize::try_from(failures - 1).map_or(last, |failures| failures.min(last))].min(MAX_PAUSE);
    Health { failing_since: seen.failing_since.or(Some(now)), failures, paused_until: now + pause, ..seen }
}

/// Disables a webhook, and tells the administrators of the organization.
fn disable(core: &Core<'_>, mut webhook: StoredWebhook, reason: DisabledReason) -> Result<()> {
    webhook.is_enabled = false;
    webhook.disabled_reason = Some(reason);
    webhook.disabled_at = Some(core.now);
    webhook.updated_at = core.now;
    store::webhooks::update(core.conn, &webhook)?;
    store::queue::end_pending(core.conn, Some(&webhook.id), DISABLED)?;
    let details = json!({ "webhookId": webhook.id, "host": webhook.host, "reason": reason.as_str() });
    let organization = Some(webhook.organization_id.as_str());
    insert_audit_event(core.conn, core.origin(), "webhook.disable", None, organization, &details)?;
    tracing::warn!(webhook = webhook.id, host = webhook.host, reason = reason.as_str(), "disabled a webhook");
    notice::send(core, &webhook, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{DAY, SECOND};

    fn failed() -> Attempt {
        Attempt { status: Some(500), error: Some("the server answered 500".into()), duration_ms: 1 }
    }

    #[test]
    fn a_failing_webhook_pauses_longer_up_to_a_limit_and_recovers_at_once() {
        let mut state = Health::default();
        let mut pauses = Vec::new();
        for _ in 0..10 {
            state = health(state, &failed(), false, 1_000);
            pauses.push(state.paused_until - 1_000);
        }
        assert_eq!(pauses[..3], [5 * SECOND, MAX_PAUSE, MAX_PAUSE]);
        assert_eq!((pauses[9], state.failures, state.failing_since), (MAX_PAUSE, 10, Some(1_000)));
        let well = health(state, &Attempt { status: Some(204), error: None, duration_ms: 1 }, false, 2_000);
        assert_eq!((well.paused_until, well.failures, well.failing_since), (0, 0, None));
        assert_eq!((well.delivered_at, well.last_error), (Some(2_000), None));
    }

    #[test]
    fn a_failed_test_is_shown_but_does_not_count() {
        let state = health(Health::default(), &failed(), true, 5);
        assert_eq!((state.failing_since, state.failures, state.paused_until), (None, 0, 0));
        assert_eq!(state.last_error.as_deref(), Some("the server answered 500"));
    }

    #[test]
    fn retries_take_more_than_a_day() {
        assert!(RETRIES.iter().sum::<i64>() > DAY);
        assert!(RETRIES.is_sorted());
        assert_eq!(MIN_FAILURES, 2 * (i64::try_from(RETRIES.len()).unwrap() + 1));
    }
}
