//! Messages to systemd (`Type=notify`, `WatchdogSec=`). Without systemd, they do nothing.

use std::time::Duration;

use sd_notify::NotifyState;

use super::standby::CurrentApp;
use crate::domain::{
    core::{Call, Via, access::Public},
    instance::maintenance,
};

/// Tells systemd that the server accepts requests.
pub(super) fn ready() {
    send(NotifyState::Ready);
}

/// Tells systemd that the server is stopping.
pub(super) fn stopping() {
    send(NotifyState::Stopping);
}

/// Tells systemd again and again that the server works: that its asynchronous threads run, and that it can read the
/// database. If the messages stop, systemd restarts the server. Never ends without a watchdog.
pub(super) async fn watchdog(current: &CurrentApp) {
    let Some(timeout) = sd_notify::watchdog_enabled() else { return std::future::pending().await };
    let interval = (timeout / 3).max(Duration::from_millis(100));
    loop {
        let call = Call::new(None, Via::Job, uuid::Uuid::now_v7().to_string()).needing::<Public>();
        let app = current.get();
        match tokio::time::timeout(timeout, app.gate.read(call, (), maintenance::answer)).await {
            Ok(Ok(())) => send(NotifyState::Watchdog),
            Ok(Err(error)) => {
                tracing::warn!(%error, "cannot read the database; if this lasts, systemd restarts the server. Check it with `planroom doctor`");
            }
            Err(_) => tracing::warn!(
                "reading the database takes too long; if this lasts, systemd restarts the server. Check the load and the disk"
            ),
        }
        tokio::time::sleep(interval).await;
    }
}

fn send(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "cannot send a message to systemd; check NotifyAccess= in the unit");
    }
}
