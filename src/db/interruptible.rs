//! Interrupts statements of canceled reads.

use rusqlite::Connection;

use crate::{cancel::Cancel, error::Result};

/// Steps of SQLite's virtual machine between two checks for cancellation, which take some tens of microseconds.
const STEPS_BETWEEN_CHECKS: i32 = 2_000;

/// Makes SQLite interrupt statements on a reading connection when they are canceled, until this is dropped.
pub(super) struct Interruptible<'c>(&'c Connection);

impl<'c> Interruptible<'c> {
    pub(super) fn new(connection: &'c Connection, cancel: &Cancel) -> Result<Self> {
        let cancel = cancel.clone();
        connection.progress_handler(STEPS_BETWEEN_CHECKS, Some(move || cancel.is_cancelled()))?;
        Ok(Self(connection))
    }
}

impl Drop for Interruptible<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.0.progress_handler(0, None::<fn() -> bool>) {
            tracing::warn!(%error, "cannot remove the progress handler of a connection");
        }
    }
}
