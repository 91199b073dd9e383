//! Limits on the work for an image, counted in steps rather than in time, so that a map is always drawn alike; and the end of
//! drawings whose asker is gone.

use std::{cell::Cell, fmt, sync::Arc};

use super::Refused;

/// Steps between two questions whether the asker is gone.
const STEPS_BETWEEN_QUESTIONS: u64 = 1 << 14;

/// The request that waits for a drawing. Clones are the same one.
#[derive(Clone)]
pub struct Asker(Arc<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for Asker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asker").field("is_gone", &self.is_gone()).finish()
    }
}

impl Asker {
    /// A request that waits until `is_gone` returns true, which is called often.
    pub fn new(is_gone: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_gone))
    }

    /// A request that waits to the end.
    pub fn patient() -> Self {
        Self::new(|| false)
    }

    pub(super) fn is_gone(&self) -> bool {
        (self.0)()
    }

    /// Fails if the request is gone.
    pub(super) fn check(&self) -> Result<(), Refused> {
        if self.is_gone() { Err(Refused::Stopped) } else { Ok(()) }
    }
}

/// The steps that are left. A step takes some ten nanoseconds.
#[derive(Debug)]
pub(crate) struct Work {
    left: Cell<u64>,
    unasked: Cell<u64>,
    asker: Asker,
}

impl Work {
    /// At most `steps`, and none after the asker is gone.
    pub(crate) fn new(steps: u64, asker: &Asker) -> Self {
        Self { left: Cell::new(steps), unasked: Cell::new(0), asker: asker.clone() }
    }

    /// Counts steps. Returns false if too many have been counted, now or before.
    pub(super) fn spend(&self, steps: usize) -> bool {
        let steps = steps as u64;
        self.left.set(self.left.get().saturating_sub(steps));
        self.unasked.set(self.unasked.get().saturating_add(steps));
        if self.unasked.get() >= STEPS_BETWEEN_QUESTIONS {
            self.unasked.set(0);
            if self.asker.is_gone() {
                self.left.set(0);
            }
        }
        self.left.get() > 0
    }

    /// Whether no steps are left. Results calculated meanwhile are not valid.
    pub(super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}
