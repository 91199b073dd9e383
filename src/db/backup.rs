//! Backups of a live database. Each copy is verified by opening it.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, backup::Backup};

use super::{
    checksum, incarnation, key_files, lock,
    open::{self, with_suffix},
    open_error::OpenError,
    options::FILE_NAME,
};

/// Why a backup failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The target exists. Backups never overwrite.
    #[error("{0} already exists; choose another name")]
    Exists(PathBuf),
    /// There is no database.
    #[error("there is no database in {0}; check --data-dir")]
    Nothing(PathBuf),
    /// The database cannot be opened, or there is not enough free space.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The copy is damaged.
    #[error("the copy failed the integrity check: {0}")]
    Unsound(String),
    /// An error of SQLite.
    #[error("cannot copy the database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A file of the data directory cannot be read.
    #[error("cannot read {path}: {cause}")]
    Unreadable {
        /// The file or directory.
        path: PathBuf,
        /// The system error.
        cause: io::Error,
    },
    /// An error of the file system.
    #[error("cannot write {path}: {cause}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system error.
        cause: io::Error,
    },
}

impl BackupError {
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Io { path, cause }
    }

    pub(super) fn unreadable((path, cause): (PathBuf, io::Error)) -> Self {
        Self::Unreadable { path, cause }
    }

    pub(super) fn reading(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Unreadable { path: path.clone(), cause }
    }
}

/// A file or directory with an unpredictable name, which is removed unless it is moved to its target.
pub(super) struct Unfinished(pub(super) PathBuf);

impl Unfinished {
    /// A name next to `target`.
    pub(super) fn beside(target: &Path) -> Self {
        Self(with_suffix(target, &format!(".{}.unfinished", uuid::Uuid::now_v7().simple())))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Errors are expected: the path is either a file or a directory, and may not exist.
        drop(fs::remove_file(&self.0));
        drop(fs::remove_file(with_suffix(&self.0, "-journal")));
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Copies the database and keys of `data_dir`: the database to `target`, its checksum to `target` + `.sha256`, and the keys to
/// the directory `target` + `.keys`. Only the owner can read them. This is safe while a server runs, because the copy is a snapshot.
///
/// The database is created last: if the file `target` exists, the backup is complete.
pub fn of_data_dir(data_dir: &Path, target: &Path) -> Result<(), BackupError> {
    let connection = source(data_dir)?;
    let keys = with_suffix(target, ".keys");
    let sum = checksum::path_of(target);
    for taken in [keys.as_path(), target, &sum] {
        if fs::symlink_metadata(taken).is_ok() {
            return Err(BackupError::Exists(taken.to_owned()));
        }
    }
    make_directory_of(target)?;
    let (unfinished, unfinished_keys) = (Unfinished::beside(target), Unfinished::beside(&keys));
    copy_and_verify(&connection, &unfinished.0)?;
    copy_keys(&data_dir.join("keys"), &unfinished_keys.0)?;
    fs::rename(&unfinished_keys.0, &keys).map_err(BackupError::at(&keys))?;
    put_in_place_with_checksum(&unfinished, target).inspect_err(|_| drop(fs::remove_dir_all(&keys)))
}

/// Renames a finished database to its target and writes its checksum next to it.
fn put_in_place_with_checksum(unfinished: &Unfinished, target: &Path) -> Result<(), BackupError> {
    let sum = checksum::path_of(target);
    checksum::write(&unfinished.0, target).map_err(BackupError::at(&sum))?;
    put_in_place(unfinished, target).inspect_err(|_| drop(fs::remove_file(&sum)))
}

/// Opens the database of `data_dir` for copying.
pub(super) fn source(data_dir: &Path) -> Result<Connection, BackupError> {
    let path = data_dir.join(FILE_NAME);
    if !path.try_exists().map_err(|cause| lock::denied(data_dir, cause))? {
        return Err(BackupError::Nothing(data_dir.to_owned()));
    }
    let connection = open::read_only(&path)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    // Opening alone reads nothing.
    connection
        .query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))
        .map_err(|error| OpenError::sorted(&path, &error))?;
    Ok(connection)
}

/// Copies the database of `connection` to the new file `target`, creating its directory if it does not exist.
/// The file gets its final name only when it is complete and verified, after its checksum is written.
pub(super) fn copy_database(connection: &Connection, target: &Path) -> Result<(), BackupError> {
    make_directory_of(target)?;
    let unfinished = Unfinished::beside(target);
    copy_and_verify(connection, &unfinished.0)?;
    put_in_place_with_checksum(&unfinished, target)
}

/// Copies the key files of a directory to the new directory `target`.
pub(super) fn copy_keys(source: &Path, target: &Path) -> Result<(), BackupError> {
    DirBuilder::new().mode(0o700).create(target).map_err(BackupError::at(target))?;
    for (name, content) in key_files::read(source).map_err(BackupError::unreadable)? {
        let copy = target.join(name);
        let write = || -> io::Result<()> {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&copy)?;
            file.write_all(&content)?;
            file.sync_all()
        };
        write().map_err(BackupError::at(&copy))?;
    }
    sync_directory(target)
}

/// Copies to the new file `target`, which must not exist, and verifies the copy.
#[expect(clippy::disallowed_methods, reason = "a backup is a database of its own")]
pub(super) fn copy_and_verify(connection: &Connection, target: &Path) -> Result<(), BackupError> {
    // Fails for an existing file, and for a symbolic link that another user has created.
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(target).map_err(BackupError::at(target))?;
    let mut copy = Connection::open(target)?;
    // All pages in one step, so that the copy is consistent even while the writer is busy.
    Backup::new(connection, &mut copy)?.run_to_completion(i32::MAX, Duration::from_millis(50), None)?;
    // The copy is a single file without a write-ahead log.
    copy.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
    incarnation::mark_copy(&copy)?;
    copy.close().map_err(|(_, error)| error)?;
    let reopened = open::read_only(target).map_err(|error| BackupError::Unsound(error.to_string()))?;
    open::verdict(&reopened, "integrity_check")?.map_err(BackupError::Unsound)?;
    File::open(target).and_then(|file| file.sync_all()).map_err(BackupError::at(target))
}

/// Renames a finished file to its target, unless the target exists already.
pub(super) fn put_in_place(unfinished: &Unfinished, target: &Path) -> Result<(), BackupError> {
    match fs::hard_link(&unfinished.0, target) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(BackupError::Exists(target.to_owned()));
        }
        // Some file systems do not support hard links.
        Err(_) => fs::rename(&unfinished.0, target).map_err(BackupError::at(target))?,
    }
    sync_directory(directory_of(target))
}

/// The directory that contains `target`.
pub(super) fn directory_of(target: &Path) -> &Path {
    target.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

pub(super) fn make_directory_of(target: &Path) -> Result<(), BackupError> {
    let directory = directory_of(target);
    DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(BackupError::at(directory))
}

pub(super) fn sync_directory(directory: &Path) -> Result<(), BackupError> {
    File::open(directory).and_then(|directory| directory.sync_all()).map_err(BackupError::at(directory))
}
