//! Timers.

use std::time::Duration;

use crate::{
    domain::{
        access::{Gate, Via},
        upkeep,
    },
    error::Result,
};

/// How often what nobody can use any more is removed.
const SWEEP_EVERY: Duration = Duration::from_hours(1);

/// Runs until it is dropped.
pub async fn run(gate: Gate) {
    let mut timer = tokio::time::interval(SWEEP_EVERY);
    timer.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        timer.tick().await;
        match sweep(&gate).await {
            Ok(removed) => tracing::debug!(?removed, "swept"),
            Err(error) => tracing::warn!(%error, "sweeping failed; it is tried again in an hour"),
        }
    }
}

/// One sweep.
pub async fn sweep(gate: &Gate) -> Result<upkeep::Removed> {
    gate.system(Via::Job, upkeep::sweep).await
}
