//! Copies of a live database, each verified by opening it.

use std::{
    fs::{self, DirBuilder},
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, backup::Backup};

use super::{incarnation, open};

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Backups never overwrite.
    #[error("{0} exists already; choose another name")]
    Exists(PathBuf),
    /// There is nothing to copy.
    #[error("there is no database in {0}")]
    Nothing(PathBuf),
    /// The copy does not hold together.
    #[error("the copy failed its check: {0}")]
    Unsound(String),
    /// SQLite could not read or write.
    #[error("copying failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The file system could not.
    #[error("copying failed: {0}")]
    Io(#[from] std::io::Error),
}

/// Copies database and keys of `data_dir`: the database to `target`, the keys to the directory `target` + `.keys`.
/// Both are readable by their owner alone. Works beside a running server: the copy is one snapshot.
pub fn of_data_dir(data_dir: &Path, target: &Path) -> Result<(), BackupError> {
    let source = data_dir.join(super::FILE_NAME);
    if !source.exists() {
        return Err(BackupError::Nothing(data_dir.to_owned()));
    }
    let keys = with_suffix(target, ".keys");
    if keys.exists() {
        return Err(BackupError::Exists(keys));
    }
    let connection = open::read_only(&source).map_err(|error| BackupError::Unsound(error.to_string()))?;
    connection.busy_timeout(Duration::from_secs(5))?;
    copy_database(&connection, target)?;
    DirBuilder::new().mode(0o700).create(&keys)?;
    for key in fs::read_dir(data_dir.join("keys"))? {
        let key = key?;
        if key.file_name() == incarnation::POSITION_FILE {
            continue;
        }
        let copy = keys.join(key.file_name());
        fs::copy(key.path(), &copy)?;
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}

/// Copies the database behind `connection` to the new file `target`, making its directory if need be.
/// The file appears under its name only when it is whole and verified.
pub(super) fn copy_database(connection: &Connection, target: &Path) -> Result<(), BackupError> {
    if target.exists() {
        return Err(BackupError::Exists(target.to_owned()));
    }
    if let Some(directory) = target.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    }
    let unfinished = with_suffix(target, ".unfinished");
    let copied = copy_and_verify(connection, &unfinished).and_then(|()| Ok(fs::rename(&unfinished, target)?));
    if copied.is_err() {
        drop(fs::remove_file(&unfinished));
    }
    copied
}

#[expect(clippy::disallowed_methods, reason = "a backup is a database of its own")]
fn copy_and_verify(connection: &Connection, target: &Path) -> Result<(), BackupError> {
    fs::write(target, [])?;
    fs::set_permissions(target, fs::Permissions::from_mode(0o600))?;
    let mut copy = Connection::open(target)?;
    // All pages in one step: the copy is of one moment, however busy the writer is.
    Backup::new(connection, &mut copy)?.run_to_completion(i32::MAX, Duration::from_millis(50), None)?;
    // The copy is one file that stands alone.
    copy.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
    incarnation::mark_copy(&copy)?;
    copy.close().map_err(|(_, error)| error)?;
    let reopened = open::read_only(target).map_err(|error| BackupError::Unsound(error.to_string()))?;
    let verdict: String = reopened.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if verdict != "ok" {
        return Err(BackupError::Unsound(verdict));
    }
    fs::File::open(target)?.sync_all()?;
    Ok(())
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
