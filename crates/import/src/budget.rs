//! What one reading may use: memory and steps, over all of its files.
//!
//! A small file can stand for a large one: it inflates, repeats a part by a name, or connects everything with everything.
//! So what a reader copies, multiplies or goes through is charged *where* that happens, and inside of the loops. When the
//! budget is spent, the reading is refused with the file and the line. A reading also ends when its caller has disconnected.
//!
//! The amounts are estimates of what was measured: a step is about 50 ns in an optimized build, such as looking up a name.

use std::{cell::Cell, rc::Rc};

/// Memory that every reading may use, in bytes.
const BASE_BYTES: usize = 64 << 20;
/// Memory that a reading may use for each byte of its files, in addition.
pub const MEMORY_PER_BYTE: usize = 10;
/// Maximum number of steps of a reading.
pub(super) const MAX_STEPS: usize = 60_000_000;
/// Number of steps between two looks at whether the caller has disconnected.
const POLL_STEPS: usize = 20_000;

/// The memory that a reading of files of this length may use, in bytes, with the files.
pub(super) const fn memory(bytes: usize) -> usize {
    BASE_BYTES.saturating_add(bytes.saturating_mul(MEMORY_PER_BYTE))
}

/// See the module documentation.
pub(super) struct Budget<'c> {
    limit: usize,
    max_steps: usize,
    bytes: Cell<usize>,
    /// The part of `bytes` that trees use.
    trees: Cell<usize>,
    most: Cell<usize>,
    steps: Cell<usize>,
    next_poll: Cell<usize>,
    /// Why the reading ends; it stays.
    spent: Cell<Option<Spent>>,
    is_canceled: &'c dyn Fn() -> bool,
}

/// Why a reading ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spent {
    /// It would use more memory than this number of bytes.
    Bytes(usize),
    Steps,
    Canceled,
}

impl Spent {
    /// What is wrong and what to do.
    pub(super) fn text(self) -> String {
        match self {
            Self::Bytes(limit) => {
                format!("what is read expands to more than {} MiB here; import a part of it", limit >> 20)
            }
            Self::Steps => "what is read refers to itself too often to be read completely; import a part of it".into(),
            Self::Canceled => "the reading was canceled".into(),
        }
    }
}

impl<'c> Budget<'c> {
    /// The budget for files of this length. `is_canceled` tells that the caller has disconnected.
    pub(super) fn new(bytes: usize, is_canceled: &'c dyn Fn() -> bool) -> Rc<Self> {
        Self::with_steps(bytes, MAX_STEPS, is_canceled)
    }

    /// A budget with another number of steps, for tests without optimization.
    pub(super) fn with_steps(bytes: usize, max_steps: usize, is_canceled: &'c dyn Fn() -> bool) -> Rc<Self> {
        Rc::new(Self {
            limit: memory(bytes),
            max_steps,
            bytes: Cell::new(bytes),
            trees: Cell::new(0),
            most: Cell::new(bytes),
            steps: Cell::new(0),
            next_poll: Cell::new(0),
            spent: Cell::new(None),
            is_canceled,
        })
    }

    /// Charges steps.
    pub(super) fn step(&self, count: usize) -> Result<(), Spent> {
        let steps = self.steps.get().saturating_add(count);
        self.steps.set(steps);
        if steps > self.max_steps {
            return self.end(Spent::Steps);
        }
        if steps >= self.next_poll.get() {
            self.next_poll.set(steps + POLL_STEPS);
            if (self.is_canceled)() {
                return self.end(Spent::Canceled);
            }
        }
        self.check()
    }

    /// Charges memory that is used until the end of the reading, and the time that it takes to copy it.
    pub(super) fn take(&self, bytes: usize) -> Result<(), Spent> {
        let used = self.bytes.get().saturating_add(bytes);
        self.bytes.set(used);
        self.most.set(self.most.get().max(used));
        if used > self.limit {
            return self.end(Spent::Bytes(self.limit));
        }
        self.step(bytes / 256)
    }

    /// Charges memory for a part of a tree of JSON or YAML.
    pub(super) fn take_tree(&self, bytes: usize) -> Result<(), Spent> {
        self.trees.set(self.trees.get().saturating_add(bytes));
        self.take(bytes)
    }

    /// Gives back the memory of all trees, when the reader is done with them.
    pub(super) fn drop_trees(&self) {
        self.bytes.set(self.bytes.get().saturating_sub(self.trees.take()));
    }

    /// Charges memory until what is returned is dropped.
    pub(super) fn hold(self: &Rc<Self>, bytes: usize) -> Result<Held<'c>, Spent> {
        let held = Held { budget: Rc::clone(self), bytes };
        self.take(bytes)?;
        Ok(held)
    }

    /// Adds an item to a list. While a list grows, both copies of it are in memory.
    pub(super) fn push<T>(self: &Rc<Self>, list: &mut Vec<T>, item: T) -> Result<(), Spent> {
        if list.len() == list.capacity() {
            drop(self.hold(2 * size_of::<T>() * list.capacity())?);
        }
        list.push(item);
        Ok(())
    }

    /// Fails if the budget is spent.
    pub(super) fn check(&self) -> Result<(), Spent> {
        self.spent.get().map_or(Ok(()), Err)
    }

    fn end(&self, spent: Spent) -> Result<(), Spent> {
        let first = self.spent.get().unwrap_or(spent);
        self.spent.set(Some(first));
        Err(first)
    }

    /// The steps so far.
    #[cfg(test)]
    pub(super) fn steps(&self) -> usize {
        self.steps.get()
    }

    /// The most memory that was charged at a time.
    #[cfg(test)]
    pub(super) fn most_bytes(&self) -> usize {
        self.most.get()
    }
}

/// Memory that is charged for a while.
pub(super) struct Held<'c> {
    budget: Rc<Budget<'c>>,
    bytes: usize,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.budget.bytes.set(self.budget.bytes.get().saturating_sub(self.bytes));
    }
}

/// The caller stays.
pub(super) const NEVER: &dyn Fn() -> bool = &|| false;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_limited_by_the_length_of_the_files() {
        let budget = Budget::new(1_000, NEVER);
        assert_eq!(budget.take(memory(1_000) - 1_000), Ok(()));
        assert_eq!(budget.take(1), Err(Spent::Bytes(memory(1_000))));
        // It stays spent.
        assert_eq!(budget.step(0), Err(Spent::Bytes(memory(1_000))));
    }

    #[test]
    fn memory_that_is_held_is_given_back() {
        let budget = Budget::new(0, NEVER);
        for _ in 0..3 {
            assert!(budget.hold(memory(0)).is_ok());
        }
        let held = budget.hold(memory(0));
        assert!(budget.take(1).is_err());
        drop(held);
        assert_eq!(budget.most_bytes(), memory(0) + 1);
    }

    #[test]
    fn steps_are_limited_and_look_at_the_caller() {
        let budget = Budget::new(0, NEVER);
        assert_eq!(budget.step(MAX_STEPS), Ok(()));
        assert_eq!(budget.step(1), Err(Spent::Steps));
        let asked = Cell::new(0);
        let is_canceled = || asked.replace(asked.get() + 1) == 2;
        let budget = Budget::new(0, &is_canceled);
        let before_end = (0..4 * POLL_STEPS).take_while(|_| budget.step(1) != Err(Spent::Canceled)).count();
        // The first step asks, and then one in as many as are between two looks.
        assert_eq!((before_end, asked.get()), (2 * POLL_STEPS, 3));
    }
}
