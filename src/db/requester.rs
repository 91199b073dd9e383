//! The requester of a job: its queue, its deadline and its size.

use crate::schedule::QueueKey;

/// The requester of a job.
#[derive(Debug, Clone)]
pub struct Requester {
    /// The queue for the job.
    pub key: QueueKey,
    /// Whether the job is canceled after [`DbOptions::request_time`](super::DbOptions::request_time).
    pub has_deadline: bool,
    /// Whether the job can write more than 1,000 rows. Such a job is committed on its own, so that the other jobs of a
    /// group do not wait for it.
    pub is_large: bool,
}

impl Requester {
    /// The server itself, which has no deadline.
    pub fn system() -> Self {
        Self { key: QueueKey::System, has_deadline: false, is_large: false }
    }
}
