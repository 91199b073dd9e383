//! Cancellation of jobs.
//!
//! A job is canceled when its client has disconnected or its deadline has passed. Reads are interrupted inside SQLite;
//! code on the writer and loops that use only the CPU call [`Cancel::check`] between steps.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use crate::error::{Error, Result};

/// The cancellation state of a job. Clones share it.
#[derive(Debug, Clone)]
pub struct Cancel(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    cancelled: AtomicBool,
    deadline: Option<Instant>,
}

impl Cancel {
    /// For a job with an optional time limit.
    pub fn after(longest: Option<Duration>) -> Self {
        let deadline = longest.and_then(|longest| Instant::now().checked_add(longest));
        Self(Arc::new(Inner { cancelled: AtomicBool::new(false), deadline }))
    }

    /// For a job without a time limit.
    pub fn never() -> Self {
        Self::after(None)
    }

    /// Cancels the job.
    pub fn cancel(&self) {
        self.0.cancelled.swap(true, Ordering::Relaxed);
    }

    /// Whether the job is canceled or its time limit has passed.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed) || self.0.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// Fails if the job is canceled or its time limit has passed.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Returns a guard that cancels the job on drop. Hold it while waiting for the result.
    #[must_use]
    pub fn on_drop(&self) -> CancelOnDrop {
        CancelOnDrop(self.clone())
    }
}

/// Cancels a job when the future that waits for it is dropped.
#[derive(Debug)]
pub struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_cancelled_after_a_disconnect_or_its_deadline() {
        let cancel = Cancel::never();
        assert!(cancel.check().is_ok());
        drop(cancel.clone().on_drop());
        assert!(matches!(cancel.check(), Err(Error::Cancelled)));
        assert!(Cancel::after(Some(Duration::ZERO)).is_cancelled());
        assert!(!Cancel::after(Some(Duration::MAX)).is_cancelled());
    }
}
