//! Background jobs that run on timers.

use std::{sync::Arc, time::Duration};

use tokio::{
    task::JoinSet,
    time::{Interval, MissedTickBehavior},
};

use crate::{
    domain::{
        accounts::sign_in::SignIn,
        core::{Gate, Via},
        images::Images,
        inbox::InboxService,
        instance::{integrity, maintenance},
        live::Live,
        mail::MailService,
        map::search,
        sharing::Shares,
        sync::SourceWatch,
        webhooks::WebhookService,
        wiki::Wiki,
    },
    error::Result,
};

/// Interval of the cleanup of expired data.
const CLEANUP_INTERVAL: Duration = Duration::from_hours(1);
/// Delay until an incomplete cleanup continues.
const CLEANUP_CONTINUE_DELAY: Duration = Duration::from_secs(1);
/// Interval of recording the id of the last change in the directory of the keys.
const POSITION_INTERVAL: Duration = Duration::from_secs(1);
/// Interval of removing silent clients from presence.
const PRESENCE_INTERVAL: Duration = Duration::from_secs(5);
/// Interval of checking which wiki links and images are due for a refresh.
const REFRESH_INTERVAL: Duration = Duration::from_mins(10);

/// Interval of writing how often share links were opened.
const USES_INTERVAL: Duration = Duration::from_mins(1);

/// Runs all jobs until the future is dropped.
pub async fn run(
    gate: Gate,
    live: Arc<Live>,
    (wiki, images): (Wiki, Images),
    (mail, sign_in): (MailService, SignIn),
    (shares, sources): (Shares, SourceWatch),
    webhooks: WebhookService,
) {
    let (uses_gate, inbox) = (gate.clone(), InboxService::new(gate.clone()));
    tokio::join!(
        note_position(gate.clone()),
        run_cleanup(gate.clone(), live),
        check_database(&gate),
        refresh_links(wiki),
        refresh_images(images),
        mail.run(),
        inbox.run(),
        sign_in.send_password_resets(),
        save_all_uses(uses_gate, shares),
        sources.run(),
        webhooks.run(),
    );
}

/// Checks the database file if the start has postponed that, and fills a damaged search index again.
pub async fn check_database(gate: &Gate) {
    if !integrity::finish_check(gate).await {
        return;
    }
    tracing::warn!("the search index is damaged and is filled again");
    match gate.system(Via::Job, search::rebuild_index).await {
        Ok(documents) => tracing::info!(documents, "filled the search index"),
        Err(error) => tracing::error!(%error, "cannot fill the search index; run `planroom search rebuild`"),
    }
}

/// Retries failed downloads of images, and refreshes old images.
async fn refresh_images(images: Images) {
    let mut timer = interval(REFRESH_INTERVAL);
    loop {
        timer.tick().await;
        match images.fetch_due().await {
            Ok(tried) => tracing::debug!(tried, "refreshed images"),
            Err(error) => tracing::warn!(%error, "cannot refresh images; retrying in ten minutes"),
        }
    }
}

/// Refreshes wiki links, for several organizations in parallel.
async fn refresh_links(wiki: Wiki) {
    let mut timer = interval(REFRESH_INTERVAL);
    let mut refreshes = JoinSet::new();
    loop {
        tokio::select! {
            _ = timer.tick() => {}
            () = wiki.requested() => {}
            // Another refresh for the same organization may have waited for this one.
            Some(_) = refreshes.join_next() => {}
        }
        match wiki.due().await {
            Ok(due) => {
                for organization in due {
                    let wiki = wiki.clone();
                    refreshes.spawn(async move { wiki.refresh(&organization).await });
                }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot determine which wiki links are due for a refresh; retrying in ten minutes");
            }
        }
    }
}

/// Writes how often share links were opened, again and again.
async fn save_all_uses(gate: Gate, shares: Shares) {
    let mut timer = interval(USES_INTERVAL);
    loop {
        timer.tick().await;
        if let Err(error) = save_uses(&gate, &shares).await {
            tracing::warn!(%error, "cannot write how often share links were opened");
        }
    }
}

/// Writes how often share links were opened since the last time.
pub async fn save_uses(gate: &Gate, shares: &Shares) -> Result<()> {
    let uses = shares.uses().take();
    if uses.is_empty() {
        return Ok(());
    }
    gate.system(Via::Job, move |tx| uses.save(tx)).await
}

async fn note_position(gate: Gate) {
    let mut timer = interval(POSITION_INTERVAL);
    loop {
        timer.tick().await;
        if let Err(error) = gate.note_position().await {
            tracing::debug!(%error, "cannot record the last change in the directory of the keys; retrying in a second");
        }
    }
}

async fn run_cleanup(gate: Gate, live: Arc<Live>) {
    let (mut cleanups, mut timer) = (interval(CLEANUP_INTERVAL), interval(PRESENCE_INTERVAL));
    loop {
        tokio::select! {
            _ = cleanups.tick() => match clean_up(&gate).await {
                Ok(removed) => {
                    tracing::debug!(?removed, "cleaned up expired data");
                    if removed.is_not_all() {
                        cleanups.reset_after(CLEANUP_CONTINUE_DELAY);
                    }
                }
                Err(error) => tracing::warn!(%error, "cleanup failed; retrying in an hour"),
            },
            _ = timer.tick() => live.remove_inactive_clients(gate.now()),
        }
    }
}

fn interval(period: Duration) -> Interval {
    let mut timer = tokio::time::interval(period);
    timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
    timer
}

/// One pass of the cleanup.
pub async fn clean_up(gate: &Gate) -> Result<maintenance::Removed> {
    gate.system(Via::Job, maintenance::sweep).await
}
