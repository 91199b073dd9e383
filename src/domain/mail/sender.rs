//! The job that sends queued emails.
//!
//! An email is sent between two transactions. If the server stops in between, the email is sent again after the start,
//! with the same message ID.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use super::{
    PURPOSE,
    model::{DueMail, MailKind, NotificationMail, WriteNotification},
    store,
};
use crate::{
    blocking::BlockingPool,
    clock::{HOUR, MINUTE},
    domain::core::{Gate, Reads, SystemTx},
    error::Result,
    mail::{Letter, Mailer, SendError},
};

/// How often the queue is read.
const INTERVAL: Duration = Duration::from_secs(1);
/// Pause after the database could not be read.
const PAUSE: Duration = Duration::from_secs(30);
/// Delay until the first retry, in milliseconds. Each further delay is twice as long.
const FIRST_DELAY: i64 = MINUTE;
/// Maximum delay until a retry, in milliseconds.
const MAX_DELAY: i64 = HOUR;

/// Sends queued emails. Clones share the counts.
#[derive(Debug, Clone)]
pub struct MailService {
    gate: Gate,
    /// Where the mail server is called, and its client; none if emails are off.
    server: Option<(BlockingPool, Arc<Mailer>)>,
    counts: Arc<MailCounts>,
    write_notification: WriteNotification,
}

/// Counts for monitoring.
#[derive(Debug, Default)]
pub struct MailCounts {
    queued: AtomicU64,
    sent: AtomicU64,
    failed: AtomicU64,
}

impl MailCounts {
    /// Emails that wait for the mail server.
    pub fn queued(&self) -> u64 {
        self.queued.load(Ordering::Relaxed)
    }

    /// Sent emails.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Failed attempts to send an email.
    pub fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }
}

impl MailService {
    /// Creates the service. Emails are sent on the threads of the pool. `write_notification` writes those about
    /// notifications when they are sent.
    pub fn new(gate: Gate, server: Option<(BlockingPool, Arc<Mailer>)>, write_notification: WriteNotification) -> Self {
        Self { gate, server, counts: Arc::default(), write_notification }
    }

    /// Counts for monitoring.
    pub fn counts(&self) -> &Arc<MailCounts> {
        &self.counts
    }

    /// Sends emails until the future is dropped.
    pub async fn run(&self) {
        if self.server.is_none() {
            return std::future::pending().await;
        }
        loop {
            let pause = match self.send_due().await {
                Ok(tried) if tried >= store::MAX_DUE => Duration::ZERO,
                Ok(_) => INTERVAL,
                Err(error) => {
                    tracing::warn!(%error, "cannot read the queue of emails; retrying in {} s", PAUSE.as_secs());
                    PAUSE
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Sends the emails that are due. Returns how many were tried.
    pub async fn send_due(&self) -> Result<usize> {
        let Some((pool, mailer)) = &self.server else { return Ok(0) };
        let read = |tx: &SystemTx<'_>| {
            let core = tx.core();
            Ok((store::due(core.conn, core.now)?, store::waiting(core.conn)?))
        };
        let (due, waiting) = self.gate.aside_view(read).await?;
        self.counts.queued.store(waiting.unsigned_abs(), Ordering::Relaxed);
        let tried = due.len();
        for mail in due {
            self.send(pool, mailer, mail).await?;
        }
        Ok(tried)
    }

    async fn send(&self, pool: &BlockingPool, mailer: &Arc<Mailer>, mail: DueMail) -> Result<()> {
        let DueMail { id, kind, attempts, expires_at, .. } = &mail;
        let now = self.gate.now();
        let Some(bytes) = self.readable(&mail) else { return self.finish(*id).await };
        if *expires_at <= now {
            tracing::warn!(
                id,
                kind,
                attempts,
                "dropped an email that could not be sent in time; check the mail server with `planroom mail test`"
            );
            return self.finish(*id).await;
        }
        let letter = match self.letter(kind, &bytes).await {
            Ok(Some(letter)) => letter,
            Ok(None) => return self.finish(*id).await,
            // One email that cannot be written does not delay others.
            Err(error) => return self.failed(&mail, &SendError::crashed(&error)).await,
        };
        let mailer = Arc::clone(mailer);
        let result = pool.run(move || Ok(mailer.send(&letter))).await;
        match result.unwrap_or_else(|error| Err(SendError::crashed(&error))) {
            Ok(()) => {
                self.counts.sent.fetch_add(1, Ordering::Relaxed);
                tracing::info!(id, kind, "sent an email");
                self.finish(*id).await
            }
            Err(error) => {
                self.counts.failed.fetch_add(1, Ordering::Relaxed);
                self.failed(&mail, &error).await
            }
        }
    }

    async fn failed(&self, mail: &DueMail, error: &SendError) -> Result<()> {
        let DueMail { id, kind, attempts, expires_at, .. } = mail;
        let delay = (FIRST_DELAY << attempts.clamp(&0, &10)).min(MAX_DELAY);
        let due_at = self.gate.now() + delay;
        let (seconds, remedy) = (delay / 1_000, error.problem.remedy());
        if error.problem.is_permanent() || due_at >= *expires_at {
            tracing::warn!(id, kind, attempts, %error, remedy, "dropped an email that could not be sent");
            return self.finish(*id).await;
        }
        tracing::warn!(id, kind, attempts, %error, remedy, "cannot send an email; retrying in {seconds} s");
        let id = *id;
        self.gate.aside(move |tx| store::postpone(tx.core().conn, id, due_at)).await
    }

    /// The email, which is written now if it is about notifications; none if there is nothing to send.
    async fn letter(&self, kind: &str, bytes: &[u8]) -> Result<Option<Letter>> {
        if kind != MailKind::Notification.as_str() {
            return Ok(Some(serde_json::from_slice(bytes)?));
        }
        let (mail, write) = (serde_json::from_slice::<NotificationMail>(bytes)?, self.write_notification);
        self.gate.aside_view(move |tx| write(tx, &mail)).await
    }

    /// The content of an email; none if it was queued before a backup was restored, or encrypted with keys that are lost.
    fn readable(&self, mail: &DueMail) -> Option<Vec<u8>> {
        let (id, kind) = (mail.id, &mail.kind);
        if mail.incarnation != self.gate.incarnation().as_str() {
            tracing::warn!(
                id,
                kind,
                "dropped an email that was queued before a backup was restored; its user can request another one"
            );
            return None;
        }
        let letter = self.gate.shared().keys.open(PURPOSE, &mail.letter).ok();
        if letter.is_none() {
            tracing::warn!(
                id,
                kind,
                "dropped an email that was encrypted with other keys than those in keys/; its user can request another one"
            );
        }
        letter
    }

    async fn finish(&self, id: i64) -> Result<()> {
        self.gate.aside(move |tx| store::finish(tx.core().conn, id)).await
    }
}
