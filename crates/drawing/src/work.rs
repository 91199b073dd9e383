//! Limits the work for an image and cancels drawings. Work is counted in steps, not in time, so that a map always gives the same
//! image.

use std::{cell::Cell, fmt, sync::Arc};

use super::Refused;

/// Number of steps between two checks for cancellation.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 14;

/// Tells a drawing that its request is canceled. Clones belong to the same request.
#[derive(Clone)]
pub struct Cancellation(Arc<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancellation").field("is_canceled", &self.is_canceled()).finish()
    }
}

impl Cancellation {
    /// Creates a cancellation that takes effect when `is_canceled` returns true. It is called often.
    pub fn new(is_canceled: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_canceled))
    }

    /// A cancellation that never takes effect.
    pub fn never() -> Self {
        Self::new(|| false)
    }

    pub(super) fn is_canceled(&self) -> bool {
        (self.0)()
    }

    /// Fails if the request is canceled.
    pub(super) fn check(&self) -> Result<(), Refused> {
        if self.is_canceled() { Err(Refused::Canceled) } else { Ok(()) }
    }
}

/// The remaining steps. A step takes about ten nanoseconds.
#[derive(Debug)]
pub(crate) struct Work {
    left: Cell<u64>,
    unchecked: Cell<u64>,
    cancellation: Cancellation,
}

impl Work {
    /// Allows `steps` steps, and none after the request is canceled.
    pub(crate) fn new(steps: u64, cancellation: &Cancellation) -> Self {
        Self { left: Cell::new(steps), unchecked: Cell::new(0), cancellation: cancellation.clone() }
    }

    /// Counts steps. Returns false if too many have been counted, now or before.
    pub(super) fn spend(&self, steps: usize) -> bool {
        let steps = steps as u64;
        self.left.set(self.left.get().saturating_sub(steps));
        self.unchecked.set(self.unchecked.get().saturating_add(steps));
        if self.unchecked.get() >= STEPS_BETWEEN_CHECKS {
            self.unchecked.set(0);
            if self.cancellation.is_canceled() {
                self.left.set(0);
            }
        }
        self.left.get() > 0
    }

    /// Whether no steps remain. Results calculated after the last step are invalid.
    pub(super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}
