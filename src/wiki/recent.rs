//! What was read recently: the entries of the caches.

use std::time::{Duration, Instant};

use crate::secret::Secret;

/// How long what was read of a page is good enough for a list, and for where an upload is.
pub(super) const FRESH: Duration = Duration::from_mins(5);

/// What was read of a page or database.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    /// Whether there is one, as far as this connection may see.
    pub(super) shared: bool,
    /// What is kept of its icon.
    pub(super) icon: Option<String>,
    /// When.
    pub(super) at: Instant,
}

/// Where an upload is.
#[derive(Debug, Clone)]
pub(super) struct Signed {
    pub(super) address: Secret,
    /// When it was read.
    pub(super) at: Instant,
}
