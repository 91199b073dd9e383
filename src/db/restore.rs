//! Replaces a database with a backup.
//!
//! The backup is copied to a separate directory inside the data directory, verified there, and then moved into place.
//! The previous database is moved aside, never deleted. The caller must hold the lock on the data directory.

use std::{
    fs::{self, DirBuilder},
    io::{self, Read},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use rusqlite::Connection;

use super::{
    archive::{self, ArchiveError, BackupKind},
    backup::{self, BackupError},
    checksum, migrate, open,
    open_error::OpenError,
    options::FILE_NAME,
    schema, space,
};
use crate::{
    error::{Error, Result},
    secret::Secret,
};

/// Directory for the copy, in the data directory.
pub const STAGING: &str = "restoring";
/// Files and directories that belong to a database. If a journal stayed, SQLite would apply it to the next database.
const FILES: [&str; 5] = [FILE_NAME, "planroom.db-journal", "planroom.db-wal", "planroom.db-shm", "keys"];

/// Why a restore failed.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The file does not exist.
    #[error("there is no file {0}")]
    Nothing(PathBuf),
    /// The path is that of a directory, or of a special file, which might never end.
    #[error("{0} is not a regular file; specify the file of a backup")]
    Irregular(PathBuf),
    /// A write to the file was interrupted.
    #[error(
        "{0} was copied during a write, which the file {1} can undo; choose another backup, or open {0} once with the \
         program sqlite3"
    )]
    Unfinished(PathBuf, PathBuf),
    /// The file cannot be read.
    #[error("cannot read {0}: {1}")]
    Unreadable(PathBuf, io::Error),
    /// The file has no tables.
    #[error("{0} is empty; choose another backup")]
    Empty(PathBuf),
    /// The schema differs from that of the migrations.
    #[error(
        "{0} has a schema that Planroom has not created: {1}; choose another backup, or remove this from a copy of the file"
    )]
    Foreign(PathBuf, String),
    /// The file differs from its checksum.
    #[error("{0} was changed or damaged: it differs from its checksum in {1}; choose another backup")]
    Changed(PathBuf, PathBuf),
    /// Rows refer to missing rows.
    #[error("{0} is damaged: rows of {1} refer to missing rows; choose another backup")]
    Inconsistent(PathBuf, String),
    /// The file is not a usable database.
    #[error(transparent)]
    Unusable(OpenError),
    /// The archive cannot be used.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The database is damaged.
    #[error("{0} is damaged: {1}; choose another backup")]
    Unsound(PathBuf, String),
    /// Copying failed.
    #[error(transparent)]
    Copy(#[from] BackupError),
    /// An error of SQLite.
    #[error("cannot read the backup: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// An error of the file system.
    #[error("cannot change {path}: {cause}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system error.
        cause: io::Error,
    },
}

impl From<OpenError> for RestoreError {
    fn from(error: OpenError) -> Self {
        match error {
            // Its remedy is a restore.
            OpenError::Corrupt { path, reason } => Self::Unsound(path.into(), reason),
            other => Self::Unusable(other),
        }
    }
}

impl RestoreError {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Io { path, cause }
    }
}

/// Whether a restore into `data_dir` was interrupted.
pub fn was_interrupted(data_dir: &Path) -> bool {
    data_dir.join(STAGING).join(FILE_NAME).exists()
}

/// The kind of a backup. Rejects other files.
pub fn recognize(file: &Path) -> std::result::Result<BackupKind, RestoreError> {
    let unreadable = |error| RestoreError::Unreadable(file.to_owned(), error);
    let found = fs::metadata(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => RestoreError::Nothing(file.to_owned()),
        _ => unreadable(error),
    })?;
    if !found.is_file() {
        return Err(RestoreError::Irregular(file.to_owned()));
    }
    let kind = BackupKind::of(file).map_err(unreadable)?;
    if kind == BackupKind::Database {
        let journal = open::with_suffix(file, "-journal");
        if is_applied(&journal) {
            return Err(RestoreError::Unfinished(file.to_owned(), journal));
        }
        let schema = if found.len() == 0 { 0 } else { open::recognize(file)? };
        if schema == 0 {
            return Err(RestoreError::Empty(file.to_owned()));
        }
        migrate::expect_supported(file, schema)?;
    }
    Ok(kind)
}

/// Verifies the checksum of a database file. Returns false if the file has no checksum.
pub fn verify_checksum(file: &Path) -> std::result::Result<bool, RestoreError> {
    let verified = checksum::verify(file).map_err(|error| RestoreError::Unreadable(checksum::path_of(file), error))?;
    match verified {
        Some(false) => Err(RestoreError::Changed(file.to_owned(), checksum::path_of(file))),
        verified => Ok(verified.is_some()),
    }
}

fn expect_own_schema(connection: &Connection, file: &Path) -> std::result::Result<(), RestoreError> {
    schema::foreign(connection, file)?.map_or(Ok(()), |what| Err(RestoreError::Foreign(file.to_owned(), what)))
}

/// Where the keys of an archive are.
#[derive(Debug, Clone, Copy)]
pub enum KeySource<'p> {
    /// In the archive, or else in this directory, if any.
    OfArchive(Option<&'p Path>),
    /// In this directory, even if the archive contains keys.
    Directory(&'p Path),
    /// The archive is restored without keys.
    Nowhere,
}

/// Runs `look` on a read-only connection to the database in `data_dir`, which no process uses.
pub fn look_at<T>(data_dir: &Path, look: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    look(&open::unchanged(&data_dir.join(FILE_NAME)).map_err(Error::internal)?)
}

/// A verified copy of a backup, which is removed unless it is moved into place.
#[derive(Debug)]
pub struct Staged {
    data_dir: PathBuf,
    directory: PathBuf,
}

impl Staged {
    /// Copies the database `file`, which [`recognize`] has accepted, and the keys in the directory `keys` into `data_dir`, next to the existing data, and
    /// verifies them.
    pub fn prepare(file: &Path, keys: Option<&Path>, data_dir: &Path) -> std::result::Result<Self, RestoreError> {
        let size = fs::metadata(file).map_err(|error| RestoreError::Unreadable(file.to_owned(), error))?.len();
        space::expect("restoring this backup", data_dir, space::for_copy(size))?;
        let source = open::unchanged(file)?;
        expect_own_schema(&source, file)?;
        let staged = Self::empty(data_dir)?;
        backup::copy_and_verify(&source, &staged.directory.join(FILE_NAME))?;
        staged.expect_consistent(file)?;
        if let Some(keys) = keys {
            backup::copy_keys(keys, &staged.directory.join("keys"))?;
        }
        Ok(staged)
    }

    /// Unpacks the archive `file` into `data_dir`, next to the existing data, and verifies it. `keys` is a directory with
    /// the keys if the archive does not contain them.
    pub fn unpack(
        file: &Path,
        passphrase: Option<&Secret>,
        keys: KeySource<'_>,
        data_dir: &Path,
    ) -> std::result::Result<Self, RestoreError> {
        let manifest = archive::read_manifest(file, passphrase)?;
        migrate::expect_supported(file, manifest.schema)?;
        space::expect("restoring this backup", data_dir, space::for_copy(manifest.database_bytes()))?;
        let staged = Self::empty(data_dir)?;
        archive::unpack(file, passphrase, &staged.directory)?;
        let copy = staged.directory.join(FILE_NAME);
        if open::recognize(&copy)? == 0 {
            return Err(RestoreError::Empty(file.to_owned()));
        }
        migrate::expect_supported(file, open::recognize(&copy)?)?;
        expect_own_schema(&open::read_only(&copy)?, file)?;
        open::verdict(&open::read_only(&copy)?, "integrity_check")?
            .map_err(|reason| RestoreError::Unsound(file.to_owned(), reason))?;
        staged.expect_consistent(file)?;
        let unpacked = staged.directory.join("keys");
        if !matches!(keys, KeySource::OfArchive(_)) && unpacked.exists() {
            fs::remove_dir_all(&unpacked).map_err(RestoreError::at(&unpacked))?;
        }
        match keys {
            KeySource::Directory(keys) => backup::copy_keys(keys, &unpacked)?,
            KeySource::OfArchive(Some(keys)) if !unpacked.exists() => backup::copy_keys(keys, &unpacked)?,
            KeySource::OfArchive(_) | KeySource::Nowhere => {}
        }
        Ok(staged)
    }

    /// Creates the directory for the copy.
    fn empty(data_dir: &Path) -> std::result::Result<Self, RestoreError> {
        let directory = data_dir.join(STAGING);
        if directory.exists() {
            // Remains of an interrupted restore.
            fs::remove_dir_all(&directory).map_err(RestoreError::at(&directory))?;
        }
        DirBuilder::new().mode(0o700).create(&directory).map_err(RestoreError::at(&directory))?;
        Ok(Self { data_dir: data_dir.to_owned(), directory })
    }

    /// Rejects a copy in which rows refer to missing rows.
    fn expect_consistent(&self, file: &Path) -> std::result::Result<(), RestoreError> {
        let copy = open::read_only(&self.directory.join(FILE_NAME))?;
        let broken: Option<String> =
            copy.prepare("PRAGMA foreign_key_check")?.query_map([], |row| row.get(0))?.next().transpose()?;
        broken.map_or(Ok(()), |table| Err(RestoreError::Inconsistent(file.to_owned(), table)))
    }

    /// The directory of the copy, which has the structure of a data directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Runs `look` on a read-only connection to the copy.
    pub fn look<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        work(&open::read_only(&self.directory.join(FILE_NAME)).map_err(Error::internal)?)
    }

    /// Moves the existing data aside and the copy into place. `now` (Unix milliseconds) is part of the name of the
    /// directory for the existing data. Returns that directory if there was any data. If a step fails, the existing data is
    /// moved back.
    pub fn put_in_place(self, now: i64) -> std::result::Result<Option<PathBuf>, RestoreError> {
        self.settle()?;
        self.keep_upgrade_copies()?;
        let aside = self.data_dir.join(format!("replaced-{now}"));
        let mut moves = Moves { aside: aside.clone(), done: Vec::new() };
        for part in FILES {
            let old = self.data_dir.join(part);
            if fs::symlink_metadata(&old).is_err() {
                continue;
            }
            if moves.done.is_empty() {
                DirBuilder::new().mode(0o700).create(&aside).map_err(RestoreError::at(&aside))?;
            }
            moves.rename(old, aside.join(part))?;
        }
        let kept = (!moves.done.is_empty()).then_some(aside);
        // The database is moved last: the server does not start with keys but without a database.
        for part in ["keys", FILE_NAME] {
            let new = self.directory.join(part);
            if new.exists() {
                moves.rename(new, self.data_dir.join(part))?;
            }
        }
        backup::sync_directory(&self.data_dir)?;
        moves.done.clear();
        Ok(kept)
    }

    /// Makes the copy a single file, because a write-ahead log would not be moved with it.
    #[expect(clippy::disallowed_methods, reason = "the copy is a separate database")]
    fn settle(&self) -> std::result::Result<(), RestoreError> {
        let copy = Connection::open(self.directory.join(FILE_NAME))?;
        copy.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
        copy.close().map_err(|(_, error)| RestoreError::from(error))
    }

    /// Moves the backups that upgrades of the staged database made to the data directory.
    fn keep_upgrade_copies(&self) -> std::result::Result<(), RestoreError> {
        let (from, to) = (self.directory.join("backups"), self.data_dir.join("backups"));
        if !from.exists() {
            return Ok(());
        }
        DirBuilder::new().recursive(true).mode(0o700).create(&to).map_err(RestoreError::at(&to))?;
        for entry in fs::read_dir(&from).map_err(RestoreError::at(&from))? {
            let entry = entry.map_err(RestoreError::at(&from))?;
            fs::rename(entry.path(), to.join(entry.file_name())).map_err(RestoreError::at(&entry.path()))?;
        }
        Ok(())
    }
}

/// Whether SQLite would apply this journal: not if it is empty or its first byte is zero.
fn is_applied(journal: &Path) -> bool {
    let mut first = [0];
    let is_file = fs::metadata(journal).is_ok_and(|found| found.is_file());
    is_file && fs::File::open(journal).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first != [0]
}

/// Renames files and directories, and reverts the renames in reverse order unless all steps succeed.
struct Moves {
    /// Directory for the existing data.
    aside: PathBuf,
    done: Vec<(PathBuf, PathBuf)>,
}

impl Moves {
    fn rename(&mut self, from: PathBuf, to: PathBuf) -> std::result::Result<(), RestoreError> {
        fs::rename(&from, &to).map_err(RestoreError::at(&from))?;
        self.done.push((from, to));
        Ok(())
    }
}

impl Drop for Moves {
    fn drop(&mut self) {
        for (from, to) in self.done.drain(..).rev() {
            if let Err(error) = fs::rename(&to, &from) {
                tracing::error!(from = %to.display(), to = %from.display(), %error, "cannot revert a rename; rename it manually");
            }
        }
        // Fails unless it is empty.
        drop(fs::remove_dir(&self.aside));
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.directory));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_move_leaves_no_directory_for_the_existing_data() {
        let dir = tempfile::tempdir().unwrap();
        let aside = dir.path().join("replaced-1");
        fs::create_dir(&aside).unwrap();
        let mut moves = Moves { aside: aside.clone(), done: Vec::new() };
        assert!(moves.rename(dir.path().join(FILE_NAME), aside.join(FILE_NAME)).is_err());
        drop(moves);
        assert!(!aside.exists());
    }
}
