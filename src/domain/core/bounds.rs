//! Cached upper bounds of row counts.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use super::{record::Entity, scope::Scope};

/// Maximum number of cached counts.
pub(in crate::domain) const MAX_CACHED_COUNTS: usize = 10_000;

/// Upper bounds of row counts, so that not every write has to count rows.
///
/// A bound is never too low: creations are added before they are committed, and deletions are not subtracted. A bound
/// that reaches the limit is replaced by an actual count.
#[derive(Debug, Default)]
pub(in crate::domain) struct Bounds(Mutex<HashMap<(Scope, Entity), i64>>);

impl Bounds {
    /// Whether `more` rows certainly fit within `limit`. If so, adds them to the bound.
    pub(super) fn fits(&self, key: &(Scope, Entity), more: i64, limit: i64) -> bool {
        let mut bounds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match bounds.get_mut(key) {
            Some(bound) if *bound + more <= limit => {
                *bound += more;
                true
            }
            _ => false,
        }
    }

    pub(super) fn set(&self, key: (Scope, Entity), rows: i64) {
        let mut bounds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if bounds.len() >= MAX_CACHED_COUNTS {
            bounds.clear();
        }
        bounds.insert(key, rows);
    }
}
