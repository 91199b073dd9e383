//! Counts of lookups in the cache of bundles, for monitoring.

use std::sync::atomic::{AtomicU64, Ordering};

/// How often a bundle was in the cache, and was not.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Lookups {
    pub(super) fn record(&self, is_hit: bool) {
        let count = if is_hit { &self.hits } else { &self.misses };
        count.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn hits_and_misses(&self) -> (u64, u64) {
        (self.hits.load(Ordering::Relaxed), self.misses.load(Ordering::Relaxed))
    }
}
