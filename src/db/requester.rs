//! The requester of a job: its queue, its deadline and its size.

use crate::schedule::Key;

/// For whom a job runs.
#[derive(Debug, Clone)]
pub struct Requester {
    /// Whose turn it takes.
    pub key: Key,
    /// Whether it is stopped after [`Options::request_time`](super::Options::request_time).
    pub has_deadline: bool,
    /// Whether it may write more than a thousand rows. Such a write is committed on its own, so that others do not wait
    /// for it inside one group.
    pub is_large: bool,
}

impl Requester {
    /// The server itself, which has no deadline.
    pub fn system() -> Self {
        Self { key: Key::System, has_deadline: false, is_large: false }
    }
}
