//! Messages of processes that threads are about, in diagrams that have changed since.

use std::{cell::RefCell, collections::HashMap};

use super::{MAX_STEP_CHARS, model::AnchorType, store::threads::StoredThread};
use crate::{
    domain::{
        core::{Reads, ViewTx},
        map::processes,
    },
    error::{Error, Result},
};

/// The messages of the processes of a workspace. Each process is parsed once.
pub(super) struct Steps<'t, 'c> {
    tx: &'t ViewTx<'c>,
    known: RefCell<HashMap<String, Vec<String>>>,
}

impl<'t, 'c> Steps<'t, 'c> {
    pub(super) fn new(tx: &'t ViewTx<'c>) -> Self {
        Self { tx, known: RefCell::default() }
    }

    /// Sets the current index of the message that a thread is about. If the process no longer has it, the thread is
    /// detached.
    pub(super) fn locate(&self, mut thread: StoredThread) -> Result<StoredThread> {
        let anchor = &thread.anchor;
        if let (AnchorType::Process, false, Some(step)) = (anchor.anchor_type, thread.detached, anchor.step) {
            let current = self.find(anchor.id.as_deref().unwrap_or_default(), step, anchor.step_text.as_deref())?;
            thread.detached = current.is_none();
            thread.anchor.step = current.or(thread.anchor.step);
        }
        Ok(thread)
    }

    /// The index of a message: the stored one if it still has this text, otherwise the nearest one with it.
    pub(super) fn find(&self, process_id: &str, step: i64, text: Option<&str>) -> Result<Option<i64>> {
        if !self.known.borrow().contains_key(process_id) {
            self.tx.core().check_alive()?;
            let steps = match processes::read(self.tx, process_id) {
                Ok(reading) => reading.steps.iter().map(|step| stored_text(&step.text)).collect(),
                Err(Error::NotFound(_)) => Vec::new(),
                Err(error) => return Err(error),
            };
            self.known.borrow_mut().insert(process_id.to_owned(), steps);
        }
        let known = self.known.borrow();
        let steps = known.get(process_id).map_or(&[][..], Vec::as_slice);
        let indexed = (0_i64..).zip(steps);
        // An imported thread can have no text.
        let same = indexed.filter(|(at, found)| text.map_or(*at == step, |text| text == found.as_str()));
        Ok(same.map(|(at, _)| at).min_by_key(|at| at.abs_diff(step)))
    }
}

/// The text of a message as it is stored with a thread.
pub(super) fn stored_text(text: &str) -> String {
    text.chars().take(MAX_STEP_CHARS).collect()
}
