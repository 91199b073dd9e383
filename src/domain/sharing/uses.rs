//! Counts how often share links are opened, without recording who opens them.

use std::{
    collections::HashMap,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::store;
use crate::{
    domain::core::{Reads, SystemTx},
    error::Result,
};

/// Uses of links that are not in the database yet. There are at most as many entries as links.
#[derive(Debug, Default)]
pub struct ShareUses(Mutex<HashMap<String, Uses>>);

/// Counts to write to the database.
#[derive(Debug)]
pub struct PendingUses(HashMap<String, Uses>);

impl PendingUses {
    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the counts.
    pub fn save(&self, tx: &mut SystemTx<'_>) -> Result<()> {
        let mut links = self.0.iter();
        links.try_for_each(|(id, uses)| store::links::add_uses(tx.core().conn, id, uses.count, &uses.day))
    }
}

/// Uses of a link.
#[derive(Debug, Clone)]
struct Uses {
    count: i64,
    /// Day of the last use (UTC), as in 2026-11-25.
    day: String,
}

impl ShareUses {
    /// Counts a use of a link at `now`, in Unix milliseconds.
    pub(super) fn add(&self, id: &str, now: i64) {
        let day = jiff::Timestamp::from_millisecond(now).unwrap_or_default().strftime("%Y-%m-%d").to_string();
        let mut pending = self.pending();
        let uses = pending.entry(id.to_owned()).or_insert_with(|| Uses { count: 0, day: String::new() });
        uses.count = uses.count.saturating_add(1);
        uses.day = day;
    }

    /// Uses of a link that are not in the database yet, and their last day.
    pub fn of(&self, id: &str) -> Option<(i64, String)> {
        self.pending().get(id).map(|uses| (uses.count, uses.day.clone()))
    }

    /// Takes the counts, to write them to the database.
    pub fn take(&self) -> PendingUses {
        PendingUses(mem::take(&mut *self.pending()))
    }

    fn pending(&self) -> MutexGuard<'_, HashMap<String, Uses>> {
        // Counting cannot panic half-way, so a poisoned lock is harmless.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
