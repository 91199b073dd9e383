//! Timers.

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

/// How often what nobody can use any more is removed.
const SWEEP_EVERY: Duration = Duration::from_hours(1);
/// When it goes on, if it did not get to the end.
const GO_ON: Duration = Duration::from_secs(1);
/// How often the last change is noted beside the keys.
const NOTE_EVERY: Duration = Duration::from_secs(1);
/// How often those who have fallen silent are missed.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How often it is looked whose links to the wiki, and which pictures, are due.
const DUE_EVERY: Duration = Duration::from_mins(10);

/// Runs until it is dropped.
pub async fn run(gate: Gate, live: Arc<Live>, wiki: Wiki, images: Images) {
    tokio::join!(
        note_position(gate.clone()),
        keep_house(gate, live),
        keep_links_fresh(wiki),
        keep_pictures_fresh(images)
    );
}

/// Tries pictures again that did not come, or came long ago.
async fn keep_pictures_fresh(images: Images) {
    let mut looks = every(DUE_EVERY);
    loop {
        looks.tick().await;
        match images.catch_up().await {
            Ok(tried) => tracing::debug!(tried, "looked at pictures again"),
            Err(error) => tracing::warn!(%error, "pictures were not looked at again; it is tried in ten minutes"),
        }
    }
}

/// Rounds over links to the wiki: those of several organizations at a time.
async fn keep_links_fresh(wiki: Wiki) {
    let mut looks = every(DUE_EVERY);
    let mut rounds = JoinSet::new();
    loop {
        tokio::select! {
            _ = looks.tick() => {}
            () = wiki.wanted() => {}
            // Another of the same organization may have waited for its end.
            Some(_) = rounds.join_next() => {}
        }
        match wiki.due().await {
            Ok(due) => {
                for organization in due {
                    let wiki = wiki.clone();
                    rounds.spawn(async move { wiki.round(&organization).await });
                }
            }
            Err(error) => tracing::warn!(%error, "it was not found out whose links to the wiki are due"),
        }
    }
}

async fn note_position(gate: Gate) {
    let mut notes = every(NOTE_EVERY);
    loop {
        notes.tick().await;
        if let Err(error) = gate.note_position().await {
            tracing::debug!(%error, "the last change was not noted beside the keys; trying again in a second");
        }
    }
}

async fn keep_house(gate: Gate, live: Arc<Live>) {
    let (mut sweeps, mut looks) = (every(SWEEP_EVERY), every(LOOK_EVERY));
    loop {
        tokio::select! {
            _ = sweeps.tick() => match sweep(&gate).await {
                Ok(removed) => {
                    tracing::debug!(?removed, "swept");
                    if removed.is_not_all() {
                        sweeps.reset_after(GO_ON);
                    }
                }
                Err(error) => tracing::warn!(%error, "sweeping failed; it is tried again in an hour"),
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

/// One sweep.
pub async fn sweep(gate: &Gate) -> Result<upkeep::Removed> {
    gate.system(Via::Job, upkeep::sweep).await
}
