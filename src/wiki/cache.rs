//! Entries of the caches.

use std::time::{Duration, Instant};

use crate::secret::Secret;

/// How long cached data of a page and the URL of an upload are used.
pub(super) const CACHE_TIME: Duration = Duration::from_mins(5);

/// Cached data of a page or database.
#[derive(Debug, Clone)]
pub(super) struct CachedPage {
    /// Whether it exists and is shared with this connection.
    pub(super) shared: bool,
    /// The stored text of its icon.
    pub(super) icon: Option<String>,
    /// When it was read.
    pub(super) at: Instant,
}

/// The URL of an upload.
#[derive(Debug, Clone)]
pub(super) struct CachedUpload {
    pub(super) address: Secret,
    /// When it was read.
    pub(super) at: Instant,
}
