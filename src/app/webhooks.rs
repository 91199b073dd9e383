//! Creates the service that sends webhooks from the configuration.

use std::{io, time::Duration};

use url::Url;

use crate::{
    blocking::{BlockingPool, PoolMeter},
    config::Outbound,
    domain::{
        core::Gate,
        webhooks::{MAX_SENDING, WebhookService},
    },
    webhooks::WebhookClient,
};

/// The service and the meter of its threads.
pub(super) fn service(gate: &Gate, outbound: &Outbound) -> io::Result<(WebhookService, PoolMeter)> {
    let bases = outbound.webhook_urls.iter().filter_map(|url| Url::parse(url).ok()).collect();
    let timeout = Duration::from_secs(outbound.webhook_timeout_seconds);
    let client = WebhookClient::new(outbound.allow_private, bases, timeout);
    // A stop does not wait for receivers: a request whose result is not recorded is sent again.
    let (pool, _) = BlockingPool::start("webhook", MAX_SENDING)?;
    let meter = pool.meter();
    Ok((WebhookService::new(gate.clone(), pool, client), meter))
}
