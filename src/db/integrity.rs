//! What is known about the integrity of the database file.
//!
//! The check at the start takes longer than everything else that a start does. It is postponed if the file was checked
//! when it was open the last time, was closed in an orderly way, and has not been written since.

use std::{
    fs,
    path::Path,
    sync::{Mutex, PoisonError},
};

use rusqlite::Connection;

use super::{
    lock::DataDirLock,
    open::{self, Soundness},
    open_error::OpenError,
    options::FILE_NAME,
    standby::FileState,
};
use crate::error::{Error, Result};

/// What is known about the integrity of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integrity {
    /// The check is postponed.
    Unknown,
    /// The file was checked, or is too large for a check.
    Sound,
    /// The file is damaged.
    Damaged,
}

/// The result of a postponed check.
#[derive(Debug)]
pub enum CheckOutcome {
    /// The file is sound.
    Sound,
    /// The search index is damaged and has to be filled again.
    DamagedSearchIndex,
    /// The file is damaged. Contains the message for the operator.
    Damaged(String),
}

/// The integrity of an open file.
#[derive(Debug)]
pub(super) struct IntegrityState(Mutex<Integrity>);

impl IntegrityState {
    pub(super) fn new(integrity: Integrity) -> Self {
        Self(Mutex::new(integrity))
    }

    pub(super) fn get(&self) -> Integrity {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks the file at `path`, which is open.
    pub(super) fn check(&self, connection: &Connection, path: &Path) -> Result<CheckOutcome> {
        let found = open::check(connection, path);
        // The check has filled the page cache of this connection.
        connection.execute_batch("PRAGMA shrink_memory")?;
        let (integrity, outcome) = match found {
            Ok(Soundness::Sound) => (Integrity::Sound, CheckOutcome::Sound),
            Ok(Soundness::DamagedSearchIndex) => (Integrity::Sound, CheckOutcome::DamagedSearchIndex),
            Err(damage @ OpenError::Corrupt { .. }) => (Integrity::Damaged, CheckOutcome::Damaged(damage.to_string())),
            // Such as an interruption, because the server is stopping.
            Err(error) => return Err(Error::internal(error)),
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = integrity;
        Ok(outcome)
    }
}

/// Records that the database was sound when it was open, after it was closed. Without the record, the next start checks
/// the database first.
pub fn record_closed(lock: &DataDirLock) {
    if let Some(Err(error)) = closed(lock.data_dir()).map(|state| lock.record_closed(&state)) {
        tracing::warn!(%error, "cannot write planroom.lock");
    }
}

/// Whether the database was sound when it was open the last time, and its file has not been written since.
pub fn is_as_closed(lock: &DataDirLock) -> bool {
    closed(lock.data_dir()).is_some_and(|state| lock.closed_state() == Some(&state))
}

/// The state of a closed file. None if it is too large for a check, or if there is a write-ahead log: another process uses
/// it, or has crashed.
fn closed(data_dir: &Path) -> Option<String> {
    let path = data_dir.join(FILE_NAME);
    if fs::metadata(&path).ok()?.len() > open::MAX_CHECKED_BYTES || open::with_suffix(&path, "-wal").exists() {
        return None;
    }
    FileState::of(data_dir).map(|state| state.to_string())
}
