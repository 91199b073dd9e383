//! Limits the memory and the steps of a reading, over all of its files.
//!
//! A small file can expand into a large model: by compression, by references to the same value, or by expressions that connect
//! all elements with each other. Readers therefore charge the budget *where* they copy or iterate, including inside loops. When
//! the budget is exhausted, the reading is refused with the file and the line. A reading also stops when its caller disconnects.
//!
//! Costs are estimates based on measurements. A step takes about 50 ns in an optimized build, such as a hash map lookup.

use std::{cell::Cell, rc::Rc};

/// Base memory limit of a reading, in bytes.
const BASE_BYTES: usize = 64 << 20;
/// Additional memory limit per byte of the files, in bytes.
pub const MEMORY_PER_BYTE: usize = 10;
/// Maximum number of steps of a reading.
pub(super) const MAX_STEPS: usize = 60_000_000;
/// Number of steps between two cancellation checks.
const POLL_STEPS: usize = 20_000;

/// Returns the memory limit for files of this total size, in bytes. The limit includes the files.
pub(super) const fn memory_limit(bytes: usize) -> usize {
    BASE_BYTES.saturating_add(bytes.saturating_mul(MEMORY_PER_BYTE))
}

/// The memory and steps of a reading. See the module documentation.
pub(super) struct Budget<'c> {
    limit: usize,
    max_steps: usize,
    bytes: Cell<usize>,
    /// The part of `bytes` that JSON and YAML trees use.
    trees: Cell<usize>,
    peak: Rc<Cell<usize>>,
    steps: Cell<usize>,
    next_poll: Cell<usize>,
    /// The first error. All later charges return it.
    error: Cell<Option<BudgetError>>,
    is_canceled: &'c dyn Fn() -> bool,
}

/// Why a reading stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BudgetError {
    /// The reading exceeds this memory limit, in bytes.
    Bytes(usize),
    Steps,
    Canceled,
}

impl BudgetError {
    /// The message for the user.
    pub(super) fn text(self) -> String {
        match self {
            Self::Bytes(limit) => {
                format!("the content expands to more than {} MiB in memory; import a part of it", limit >> 20)
            }
            Self::Steps => "the content references itself too many times to process; import a part of it".into(),
            Self::Canceled => "the reading was canceled".into(),
        }
    }
}

impl<'c> Budget<'c> {
    /// Creates a budget for files of this total size. `is_canceled` returns whether the caller has disconnected.
    pub(super) fn new(bytes: usize, is_canceled: &'c dyn Fn() -> bool) -> Rc<Self> {
        Self::with_steps(bytes, MAX_STEPS, is_canceled)
    }

    /// Creates a budget with a custom number of steps, for tests in unoptimized builds.
    pub(super) fn with_steps(bytes: usize, max_steps: usize, is_canceled: &'c dyn Fn() -> bool) -> Rc<Self> {
        Rc::new(Self {
            limit: memory_limit(bytes),
            max_steps,
            bytes: Cell::new(bytes),
            trees: Cell::new(0),
            peak: Rc::new(Cell::new(bytes)),
            steps: Cell::new(0),
            next_poll: Cell::new(0),
            error: Cell::new(None),
            is_canceled,
        })
    }

    /// Creates a budget with as much memory left, and all steps, for work that is skipped and not refused when it costs too much.
    pub(super) fn for_optional_work(&self) -> Rc<Self> {
        Rc::new(Self {
            limit: self.limit,
            max_steps: self.max_steps,
            bytes: self.bytes.clone(),
            trees: Cell::new(0),
            peak: Rc::clone(&self.peak),
            steps: Cell::new(0),
            next_poll: Cell::new(0),
            error: Cell::new(None),
            is_canceled: self.is_canceled,
        })
    }

    /// Charges steps.
    pub(super) fn charge_steps(&self, count: usize) -> Result<(), BudgetError> {
        let steps = self.steps.get().saturating_add(count);
        self.steps.set(steps);
        if steps > self.max_steps {
            return self.fail(BudgetError::Steps);
        }
        if steps >= self.next_poll.get() {
            self.next_poll.set(steps + POLL_STEPS);
            if (self.is_canceled)() {
                return self.fail(BudgetError::Canceled);
            }
        }
        self.check()
    }

    /// Charges memory until the end of the reading, and the steps for copying it.
    pub(super) fn charge(&self, bytes: usize) -> Result<(), BudgetError> {
        let used = self.bytes.get().saturating_add(bytes);
        self.bytes.set(used);
        self.peak.set(self.peak.get().max(used));
        if used > self.limit {
            return self.fail(BudgetError::Bytes(self.limit));
        }
        self.charge_steps(bytes / 256)
    }

    /// Charges memory for a part of a JSON or YAML tree.
    pub(super) fn charge_tree(&self, bytes: usize) -> Result<(), BudgetError> {
        self.trees.set(self.trees.get().saturating_add(bytes));
        self.charge(bytes)
    }

    /// Releases the memory of all trees, when the reader no longer needs them.
    pub(super) fn release_trees(&self) {
        self.bytes.set(self.bytes.get().saturating_sub(self.trees.take()));
    }

    /// Charges memory until the reservation is dropped.
    pub(super) fn reserve(self: &Rc<Self>, bytes: usize) -> Result<Reservation<'c>, BudgetError> {
        let reservation = Reservation { budget: Rc::clone(self), bytes };
        self.charge(bytes)?;
        Ok(reservation)
    }

    /// Appends an item to a list, and charges for the old and new buffers when the list reallocates.
    pub(super) fn push<T>(self: &Rc<Self>, list: &mut Vec<T>, item: T) -> Result<(), BudgetError> {
        if list.len() == list.capacity() {
            drop(self.reserve(2 * size_of::<T>() * list.capacity())?);
        }
        list.push(item);
        Ok(())
    }

    /// Fails if the budget is exhausted or the reading was canceled.
    pub(super) fn check(&self) -> Result<(), BudgetError> {
        self.error.get().map_or(Ok(()), Err)
    }

    fn fail(&self, error: BudgetError) -> Result<(), BudgetError> {
        let first = self.error.get().unwrap_or(error);
        self.error.set(Some(first));
        Err(first)
    }

    /// The number of steps charged so far.
    #[cfg(test)]
    pub(super) fn steps(&self) -> usize {
        self.steps.get()
    }

    /// The peak of the charged memory, in bytes.
    #[cfg(test)]
    pub(super) fn peak_bytes(&self) -> usize {
        self.peak.get()
    }
}

/// Memory that is charged until the reservation is dropped.
pub(super) struct Reservation<'c> {
    budget: Rc<Budget<'c>>,
    bytes: usize,
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.budget.bytes.set(self.budget.bytes.get().saturating_sub(self.bytes));
    }
}

/// A cancellation check for readings that cannot be canceled.
pub(super) const NEVER_CANCELED: &dyn Fn() -> bool = &|| false;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_limit_depends_on_the_file_size() {
        let budget = Budget::new(1_000, NEVER_CANCELED);
        assert_eq!(budget.charge(memory_limit(1_000) - 1_000), Ok(()));
        assert_eq!(budget.charge(1), Err(BudgetError::Bytes(memory_limit(1_000))));
        // The error is permanent.
        assert_eq!(budget.charge_steps(0), Err(BudgetError::Bytes(memory_limit(1_000))));
    }

    #[test]
    fn reserved_memory_is_released() {
        let budget = Budget::new(0, NEVER_CANCELED);
        for _ in 0..3 {
            assert!(budget.reserve(memory_limit(0)).is_ok());
        }
        let reservation = budget.reserve(memory_limit(0));
        assert!(budget.charge(1).is_err());
        drop(reservation);
        assert_eq!(budget.peak_bytes(), memory_limit(0) + 1);
    }

    #[test]
    fn steps_are_limited_and_check_for_cancellation() {
        let budget = Budget::new(0, NEVER_CANCELED);
        assert_eq!(budget.charge_steps(MAX_STEPS), Ok(()));
        assert_eq!(budget.charge_steps(1), Err(BudgetError::Steps));
        let checks = Cell::new(0);
        let is_canceled = || checks.replace(checks.get() + 1) == 2;
        let budget = Budget::new(0, &is_canceled);
        let steps = (0..4 * POLL_STEPS).take_while(|_| budget.charge_steps(1) != Err(BudgetError::Canceled)).count();
        // The first step checks for cancellation, and then every `POLL_STEPS` steps.
        assert_eq!((steps, checks.get()), (2 * POLL_STEPS, 3));
    }
}
