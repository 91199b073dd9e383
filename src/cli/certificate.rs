//! Watches the certificate of the server's own TLS.

use std::{sync::Arc, time::Duration};

use tokio::{signal::unix::Signal, time::MissedTickBehavior};

use super::standby::CurrentApp;
use crate::{
    clock::DAY,
    config::Tls,
    tls::{CertificateError, CertificateFiles, Certificates, Reload, date},
};

/// Interval between two checks of the files.
const CHECK_INTERVAL: Duration = Duration::from_mins(1);
/// How long before the certificate expires the log warns about it, every day.
const WARNING_PERIOD: i64 = 14 * DAY;

/// Loads the certificate, if the server uses TLS.
pub(super) fn load(tls: &Tls, now: i64) -> Result<Option<Arc<Certificates>>, CertificateError> {
    let Tls { certificate, key } = tls.clone();
    tls.is_on().then(|| Certificates::load(CertificateFiles { certificate, key }, now)).transpose()
}

/// Uses renewed certificates, and warns before the certificate expires. `hangup` requests a check now. Never ends.
pub(super) async fn watch(current: &CurrentApp, certificates: Option<Arc<Certificates>>, hangup: Option<Signal>) {
    let (Some(certificates), Some(mut hangup)) = (certificates, hangup) else { return std::future::pending().await };
    let mut checks = tokio::time::interval(CHECK_INTERVAL);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut warned_at = i64::MIN;
    loop {
        let is_requested = tokio::select! {
            _ = checks.tick() => false,
            _ = hangup.recv() => true,
        };
        let app = current.get();
        let now = app.clock.now();
        let reload = {
            let certificates = Arc::clone(&certificates);
            app.passwords.run(move || Ok(certificates.reload(now))).await
        };
        let expires_at = certificates.expires_at();
        let expires = date(expires_at);
        match reload {
            Ok(Reload::Renewed) => {
                tracing::info!(expires, "using the new TLS certificate");
                warned_at = i64::MIN;
            }
            Ok(Reload::Refused(error)) => {
                tracing::error!(%error, expires, "cannot use the new TLS certificate; the previous one remains in use");
            }
            Ok(Reload::Unchanged) if is_requested => tracing::info!(expires, "the TLS certificate has not changed"),
            // The pool is full; the next check follows in a minute.
            Ok(Reload::Unchanged) | Err(_) => {}
        }
        if expires_at - now < WARNING_PERIOD && now.saturating_sub(warned_at) >= DAY {
            warned_at = now;
            let certificate = certificates.path().display();
            if expires_at <= now {
                tracing::error!(%certificate, expires, "the TLS certificate has expired; browsers refuse it. Renew it");
            } else {
                tracing::warn!(%certificate, expires, "the TLS certificate expires soon; renew it");
            }
        }
    }
}
