//! The job that sends webhooks.
//!
//! Each webhook sends one request at a time, and each organization few, on threads of their own: receivers that are slow
//! or fail delay neither other organizations nor writers.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    task::JoinSet,
    time::{Interval, MissedTickBehavior},
};

use super::{
    collecting::{self, Work},
    model::DeliveryState,
    payload::{self, Built},
    places::{Place, Sending},
    results, store,
};
use crate::{
    blocking::BlockingPool,
    domain::{
        core::{Gate, Reads, SystemTx},
        values::WebAddress,
    },
    error::{Error, Result},
    webhooks::{Attempt, WebhookClient},
};

/// How often the change log and the queue are read.
const INTERVAL: Duration = Duration::from_secs(1);
/// Pause after the database could not be read or written.
const PAUSE: Duration = Duration::from_secs(30);
/// Sends webhooks. Clones share the state.
#[derive(Debug, Clone)]
pub struct WebhookService {
    gate: Gate,
    pool: BlockingPool,
    client: Arc<WebhookClient>,
    sending: Sending,
    /// Up to which change the log was read, so that it is not read again if no webhook reported it.
    read_to: Arc<AtomicI64>,
    counts: Arc<WebhookCounts>,
}

/// Counts for monitoring.
#[derive(Debug, Default)]
pub struct WebhookCounts {
    pending: AtomicU64,
    delivered: AtomicU64,
    failed: AtomicU64,
}

impl WebhookCounts {
    /// Deliveries that wait.
    pub fn pending(&self) -> u64 {
        self.pending.load(Ordering::Relaxed)
    }

    /// Successful deliveries.
    pub fn delivered(&self) -> u64 {
        self.delivered.load(Ordering::Relaxed)
    }

    /// Failed tries.
    pub fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }
}

impl WebhookService {
    /// Creates the service. Requests are sent on the threads of the pool.
    pub fn new(gate: Gate, pool: BlockingPool, client: WebhookClient) -> Self {
        Self {
            gate,
            pool,
            client: Arc::new(client),
            sending: Sending::default(),
            read_to: Arc::default(),
            counts: Arc::default(),
        }
    }

    /// Counts for monitoring.
    pub fn counts(&self) -> &Arc<WebhookCounts> {
        &self.counts
    }

    /// Fails if the rules for outgoing requests do not allow a URL.
    pub async fn check(&self, address: &WebAddress) -> Result<()> {
        let (client, url) = (Arc::clone(&self.client), address.url().clone());
        let checked = self.pool.run(move || Ok(client.check(&url))).await?;
        checked.map_err(|why| Error::invalid("url", why))
    }

    /// Sends webhooks until the future is dropped.
    pub async fn run(&self) {
        let mut timer = interval(INTERVAL);
        let mut running: JoinSet<Result<()>> = JoinSet::new();
        loop {
            let passed = tokio::select! {
                _ = timer.tick() => self.collect().await,
                Some(done) = running.join_next() => done.unwrap_or_else(|error| Err(Error::internal(error))),
            };
            let passed = match passed {
                Ok(()) => self.start_due(&mut running).await.map(drop),
                Err(error) => Err(error),
            };
            if let Err(error) = passed {
                tracing::warn!(%error, "cannot read the queue of webhooks; retrying in {} s", PAUSE.as_secs());
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// Queues what has happened, and sends everything that is due. Returns the number of tries.
    pub async fn send_due(&self) -> Result<usize> {
        let mut running: JoinSet<Result<()>> = JoinSet::new();
        let mut tries = 0;
        loop {
            self.collect().await?;
            let started = self.start_due(&mut running).await?;
            tries += started;
            if started == 0 && running.is_empty() {
                return Ok(tries);
            }
            while let Some(done) = running.join_next().await {
                done.unwrap_or_else(|error| Err(Error::internal(error)))?;
            }
        }
    }

    /// Queues what has happened since the last time.
    async fn collect(&self) -> Result<()> {
        let read_to = self.read_to.load(Ordering::Relaxed);
        let work = self.gate.aside_view(move |tx: &SystemTx<'_>| collecting::plan(tx, read_to)).await?;
        let read_to = match work {
            Work::Nothing(read_to) => read_to,
            Work::Skip(head, why) => {
                self.gate.aside(move |tx| collecting::skip(tx, head, why)).await?;
                head
            }
            Work::Queue(ranges, read_to) => {
                let sending = self.sending.clone();
                self.gate.aside(move |tx| collecting::queue(tx, &ranges, read_to, &sending)).await?;
                read_to
            }
        };
        self.read_to.store(read_to, Ordering::Relaxed);
        Ok(())
    }

    /// Starts the deliveries that are due, as far as there are places. Returns how many.
    async fn start_due(&self, running: &mut JoinSet<Result<()>>) -> Result<usize> {
        let read = |tx: &SystemTx<'_>| {
            let core = tx.core();
            Ok((store::queue::due(core.conn, core.now)?, store::queue::waiting(core.conn)?))
        };
        let (due, waiting) = self.gate.aside_view(read).await?;
        self.counts.pending.store(waiting.unsigned_abs(), Ordering::Relaxed);
        let places: Vec<Place> = due.into_iter().filter_map(|delivery| self.sending.reserve(delivery)).collect();
        let count = places.len();
        for place in places {
            let service = self.clone();
            running.spawn(async move { service.send(place).await });
        }
        Ok(count)
    }

    /// Makes one try of a delivery.
    async fn send(&self, place: Place) -> Result<()> {
        let id = place.delivery.id;
        let attempt = match self.gate.aside_view(move |tx: &SystemTx<'_>| payload::build(tx, id)).await {
            Ok(Built::Ended) => return Ok(()),
            Ok(Built::Nothing(why)) => {
                let end =
                    move |tx: &mut SystemTx<'_>| store::queue::end(tx.core().conn, id, DeliveryState::Skipped, why);
                return self.gate.aside(end).await;
            }
            Ok(Built::Request(request)) => {
                let client = Arc::clone(&self.client);
                self.pool.run(move || Ok(client.send(&request))).await
            }
            Err(error) => Err(error),
        };
        let attempt = match attempt {
            Ok(attempt) => attempt,
            Err(error @ Error::Busy) => return Err(error),
            Err(error) => {
                tracing::warn!(webhook = place.delivery.webhook_id, %error, "cannot build the request of a webhook");
                Attempt { status: None, error: Some("the request could not be built".into()), duration_ms: 0 }
            }
        };
        let delivery = place.delivery.clone();
        let is_success = self.gate.aside(move |tx| results::record(tx, &delivery, &attempt)).await?;
        let count = if is_success { &self.counts.delivered } else { &self.counts.failed };
        count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

fn interval(period: Duration) -> Interval {
    let mut timer = tokio::time::interval(period);
    timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
    timer
}
