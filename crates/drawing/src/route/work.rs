//! A limit on the work for an image, counted in steps rather than in time, so that a map is always drawn alike.

use std::cell::Cell;

/// The steps that are left. A step takes some ten nanoseconds.
#[derive(Debug)]
pub(crate) struct Work {
    left: Cell<u64>,
}

impl Work {
    pub(crate) fn new(steps: u64) -> Self {
        Self { left: Cell::new(steps) }
    }

    /// Counts steps. Returns false if too many have been counted, now or before.
    pub(super) fn spend(&self, steps: usize) -> bool {
        let left = self.left.get().saturating_sub(steps as u64);
        self.left.set(left);
        left > 0
    }

    /// Whether no steps are left. Results calculated meanwhile are not valid.
    pub(super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}
