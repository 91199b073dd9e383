//! The incarnation: an id of one continuous history of the database.
//!
//! Revisions and change ids count up within one history. After a restore they count up again from an earlier state, and
//! the same numbers refer to different contents. Everything that a client stores (entity tags, event ids, unsent edits)
//! therefore includes a random id that each restore replaces.
//!
//! `planroom restore` replaces it, and so does opening a copy made by `planroom backup`. To detect databases that were
//! restored in other ways, the id of the last committed change is also stored in `keys/last-change`: a database that is
//! behind that file, or has another incarnation, is an earlier state.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use super::{open_error::OpenError, options::FILE_NAME};

/// Name of the position file in the directory of the keys. Backups do not contain it.
pub const POSITION_FILE: &str = "last-change";

/// The id of an incarnation: 32 lowercase hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incarnation(Arc<str>);

impl Incarnation {
    /// The whole id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first eight digits, for entity tags and event ids.
    pub fn short(&self) -> &str {
        self.0.get(..8).unwrap_or(&self.0)
    }

    /// Whether `given`, from a client, is the full or short form of this incarnation.
    pub fn is_named_by(&self, given: &str) -> bool {
        given == self.as_str() || given == self.short()
    }
}

impl Default for Incarnation {
    /// A placeholder until a database is open.
    fn default() -> Self {
        Self("0".repeat(32).into())
    }
}

/// The file with the id of the last committed change.
///
/// It is written after commits, so it may be behind the database but is never ahead of it.
#[derive(Debug)]
pub(super) struct PositionFile {
    file: File,
    incarnation: Incarnation,
    written: AtomicI64,
}

impl PositionFile {
    /// Writes the position of the database if it has changed.
    pub(super) fn note(&self, head: i64) -> io::Result<()> {
        if self.written.load(Ordering::Acquire) == head {
            return Ok(());
        }
        // The text has a fixed length below the sector size, so a crash leaves either the old or the new text.
        self.file.write_all_at(format!("{} {head:020}\n", self.incarnation.as_str()).as_bytes(), 0)?;
        self.written.swap(head, Ordering::AcqRel);
        Ok(())
    }
}

/// Reads the incarnation of an open, migrated database. Starts a new one if the database is an earlier state than the
/// last one that was served from `data_dir`.
pub(super) fn enter(connection: &mut Connection, data_dir: &Path) -> Result<(Incarnation, PositionFile), OpenError> {
    let (database, path) = (data_dir.join(FILE_NAME), position_path(data_dir));
    let named = OpenError::file(&path);
    let sorted = |error| OpenError::sorted(&database, &error);
    let head = last_change(connection).map_err(sorted)?;
    let stored = stored(connection).map_err(sorted)?;
    let reason = match &stored {
        Some((_, true)) => Some("the database is a copy"),
        Some((found, false)) => match read(&path).map_err(&named)? {
            Some((incarnation, last)) if incarnation == *found && last <= head => None,
            Some((incarnation, _)) if incarnation == *found => {
                Some("the database is older than the last recorded change")
            }
            Some(_) => Some("the data directory contained another database before"),
            None => Some("the database was not used in this data directory before"),
        },
        None => Some("the database has no incarnation"),
    };
    let incarnation = match (reason, stored) {
        (None, Some((incarnation, _))) => incarnation,
        (reason, _) => {
            let incarnation = renew(connection).map_err(sorted)?;
            // A new database has no clients yet.
            if head > 0 {
                tracing::info!(
                    incarnation,
                    reason,
                    "started a new incarnation of the database; clients reload all data"
                );
            }
            incarnation
        }
    };
    let incarnation = Incarnation(incarnation.into());
    if let Some(directory) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(&named)?;
    }
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path).map_err(&named)?;
    let position = PositionFile { file, incarnation: incarnation.clone(), written: AtomicI64::new(-1) };
    position.note(head).map_err(&named)?;
    Ok((incarnation, position))
}

/// The incarnation of a copy that is only read.
pub(super) fn of_copy(connection: &Connection) -> Result<Incarnation, String> {
    let stored = stored(connection).map_err(|error| error.to_string())?;
    let (incarnation, _) = stored.ok_or("the database has no incarnation; start a server on it once")?;
    Ok(Incarnation(incarnation.into()))
}

/// Replaces the incarnation. Deletes the stored responses for idempotency keys because they belong to the old one.
fn renew(connection: &mut Connection) -> rusqlite::Result<String> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute("DELETE FROM idempotency", [])?;
    let sql = "INSERT INTO instance (id, incarnation) VALUES (1, lower(hex(randomblob(16))))
               ON CONFLICT (id) DO UPDATE SET incarnation = excluded.incarnation, is_copy = 0
               RETURNING incarnation";
    let incarnation = tx.query_row(sql, [], |row| row.get(0))?;
    tx.commit()?;
    Ok(incarnation)
}

/// Marks a copy of a database, so that opening it starts a new incarnation. Databases of versions without incarnations
/// get one when they are migrated.
pub(super) fn mark_copy(copy: &Connection) -> rusqlite::Result<()> {
    let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'instance'";
    if copy.query_row(sql, [], |_| Ok(())).optional()?.is_some() {
        copy.execute("UPDATE instance SET is_copy = 1", [])?;
    }
    Ok(())
}

/// The id of the last change in the change log, including deleted entries; 0 if there was none.
pub(super) fn last_change(connection: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'change'";
    Ok(connection.query_row(sql, [], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// The incarnation in the database, and whether this is a copy.
pub(super) fn stored(connection: &Connection) -> rusqlite::Result<Option<(String, bool)>> {
    let sql = "SELECT incarnation, is_copy FROM instance WHERE id = 1";
    connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// Reads the position file. None if it does not exist or is invalid.
fn read(path: &Path) -> io::Result<Option<(String, i64)>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        text => Ok(parse(&String::from_utf8_lossy(&text?))),
    }
}

fn parse(text: &str) -> Option<(String, i64)> {
    let (incarnation, last) = text.strip_suffix('\n')?.split_once(' ')?;
    Some((incarnation.to_owned(), last.parse().ok()?))
}

pub(super) fn position_path(data_dir: &Path) -> PathBuf {
    data_dir.join("keys").join(POSITION_FILE)
}
