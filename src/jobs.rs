//! Background jobs that run on timers.

use std::{sync::Arc, time::Duration};

use tokio::{
    task::JoinSet,
    time::{Interval, MissedTickBehavior},
};

use crate::{
    domain::{
        access::{Gate, Via},
        images::Images,
        live::Live,
        upkeep,
        wiki::Wiki,
    },
    error::Result,
};

/// Interval of the cleanup of expired data.
const SWEEP_EVERY: Duration = Duration::from_hours(1);
/// Delay until an incomplete cleanup continues.
const GO_ON: Duration = Duration::from_secs(1);
/// Interval of recording the id of the last change in the directory of the keys.
const NOTE_EVERY: Duration = Duration::from_secs(1);
/// Interval of removing silent clients from presence.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Interval of checking which wiki links and images are due for a refresh.
const DUE_EVERY: Duration = Duration::from_mins(10);

/// Runs all jobs until the future is dropped.
pub async fn run(gate: Gate, live: Arc<Live>, wiki: Wiki, images: Images) {
    tokio::join!(
        note_position(gate.clone()),
        keep_house(gate, live),
        keep_links_fresh(wiki),
        keep_pictures_fresh(images)
    );
}

/// Retries failed downloads of images, and refreshes old images.
async fn keep_pictures_fresh(images: Images) {
    let mut looks = every(DUE_EVERY);
    loop {
        looks.tick().await;
        match images.catch_up().await {
            Ok(tried) => tracing::debug!(tried, "refreshed images"),
            Err(error) => tracing::warn!(%error, "cannot refresh images; retrying in ten minutes"),
        }
    }
}

/// Refreshes wiki links, for several organizations in parallel.
async fn keep_links_fresh(wiki: Wiki) {
    let mut looks = every(DUE_EVERY);
    let mut rounds = JoinSet::new();
    loop {
        tokio::select! {
            _ = looks.tick() => {}
            () = wiki.wanted() => {}
            // Another round for the same organization may have waited for this one.
            Some(_) = rounds.join_next() => {}
        }
        match wiki.due().await {
            Ok(due) => {
                for organization in due {
                    let wiki = wiki.clone();
                    rounds.spawn(async move { wiki.round(&organization).await });
                }
            }
            Err(error) => tracing::warn!(%error, "cannot determine which wiki links are due for a refresh"),
        }
    }
}

async fn note_position(gate: Gate) {
    let mut notes = every(NOTE_EVERY);
    loop {
        notes.tick().await;
        if let Err(error) = gate.note_position().await {
            tracing::debug!(%error, "cannot record the last change in the directory of the keys; retrying in a second");
        }
    }
}

async fn keep_house(gate: Gate, live: Arc<Live>) {
    let (mut sweeps, mut looks) = (every(SWEEP_EVERY), every(LOOK_EVERY));
    loop {
        tokio::select! {
            _ = sweeps.tick() => match sweep(&gate).await {
                Ok(removed) => {
                    tracing::debug!(?removed, "cleaned up expired data");
                    if removed.is_not_all() {
                        sweeps.reset_after(GO_ON);
                    }
                }
                Err(error) => tracing::warn!(%error, "cleanup failed; retrying in an hour"),
            },
            _ = looks.tick() => live.miss_the_silent(gate.now()),
        }
    }
}

fn every(period: Duration) -> Interval {
    let mut timer = tokio::time::interval(period);
    timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
    timer
}

/// One pass of the cleanup.
pub async fn sweep(gate: &Gate) -> Result<upkeep::Removed> {
    gate.system(Via::Job, upkeep::sweep).await
}
