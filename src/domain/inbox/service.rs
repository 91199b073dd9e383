//! The job that notifies followers and watchers, and queues emails.

use std::time::Duration;

use super::{fan_out, mails};
use crate::{
    domain::{
        core::{Gate, Reads, SystemTx},
        notifications,
    },
    error::Result,
};

/// How often the queue and the change log are read.
const INTERVAL: Duration = Duration::from_secs(1);
/// Pause after the database could not be read or written.
const PAUSE: Duration = Duration::from_secs(30);

/// Notifies followers and watchers, and queues emails.
#[derive(Debug, Clone)]
pub struct InboxService {
    gate: Gate,
}

impl InboxService {
    /// Creates the service.
    pub fn new(gate: Gate) -> Self {
        Self { gate }
    }

    /// Works until the future is dropped.
    pub async fn run(&self) {
        loop {
            let pause = match self.work().await {
                Ok(()) => INTERVAL,
                Err(error) => {
                    tracing::warn!(%error, "cannot notify users; retrying in {} s", PAUSE.as_secs());
                    PAUSE
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Notifies everyone of what has happened since the last time, and queues the emails that are due.
    pub async fn work(&self) -> Result<()> {
        self.notify_all().await?;
        self.queue_mails().await
    }

    /// Notifies followers and watchers of what has happened since the last time. Each transaction notifies a limited
    /// number of users.
    pub async fn notify_all(&self) -> Result<()> {
        loop {
            let (has_messages, batch) = self.gate.aside_view(fan_out::waiting).await?;
            if has_messages {
                while self.gate.aside(fan_out::notify_of_message).await? {}
            }
            let Some(fan_out::Batch { groups, last, is_full }) = batch else { return Ok(()) };
            for group in groups {
                let (mut group, mut after) = (group, Some(0));
                while let Some(user_id) = after {
                    let work = move |tx: &mut SystemTx<'_>| {
                        let next = fan_out::notify_watchers(tx, &group, user_id)?;
                        Ok((group, next))
                    };
                    (group, after) = self.gate.aside(work).await?;
                }
            }
            self.gate.aside(move |tx| notifications::set_cursor(tx.core().conn, last)).await?;
            if !is_full {
                return Ok(());
            }
        }
    }

    /// Queues the emails that are due, of a limited number of users.
    pub async fn queue_mails(&self) -> Result<()> {
        for user_id in self.gate.aside_view(mails::due_users).await? {
            // Emails of one user that cannot be queued do not delay those of others.
            if let Err(error) = self.gate.aside(move |tx| mails::queue(tx, user_id)).await {
                tracing::warn!(%error, user = user_id, "cannot queue emails about notifications");
            }
        }
        Ok(())
    }
}
