//! The separate listener of `planroom serve` for metrics.

use std::{net::TcpListener, sync::Arc, time::Duration};

use axum::Router;

use super::output::Failure;
use crate::{
    listen::{self, ConnectionLimits, ListenOptions},
    secret::Secret,
};

/// Connections of monitoring systems.
const CONNECTIONS: usize = 32;
/// Idle timeout of their connections, longer than the usual interval of one minute between two requests.
const IDLE_TIMEOUT: Duration = Duration::from_secs(90);

/// A listener with its router.
pub(super) struct MetricsServer(tokio::net::TcpListener, Router);

/// Prepares the listener.
pub(super) fn serve(router: Router, listener: TcpListener, token: &Secret) -> Result<MetricsServer, Failure> {
    let address = listener.local_addr()?;
    if token.reveal().is_empty() && !address.ip().is_loopback() {
        tracing::warn!(
            %address,
            "metrics are readable without a token for everyone who reaches this address; set metrics.token, or choose an \
             address in metrics.listen that only your monitoring system reaches"
        );
    }
    tracing::info!(%address, "serving metrics");
    Ok(MetricsServer(tokio::net::TcpListener::from_std(listener)?, router))
}

/// Serves metrics until the future is dropped. Never ends without a listener.
pub(super) async fn run(server: Option<MetricsServer>) {
    let Some(MetricsServer(listener, router)) = server else { return std::future::pending().await };
    let limits = ConnectionLimits { connections: CONNECTIONS, per_address: CONNECTIONS, trusted: Vec::new() };
    let options = ListenOptions { limits, counts: Arc::default(), idle_timeout: IDLE_TIMEOUT, tls: None };
    listen::serve(listener, router, options, std::future::pending()).await;
}
