//! Files and directories of backups that are not finished. Their process holds a lock on each, so that the next backup can tell
//! what a process that was killed has left.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use crate::db::backup::{self, BackupError, Unfinished};

const SUFFIX: &str = ".unfinished";

/// A file or directory that is removed unless it is moved to its target.
pub(super) struct Held {
    unfinished: Unfinished,
    _lock: File,
}

impl Held {
    /// Creates a directory with a name that begins with that of `target`.
    pub(super) fn directory(target: &Path) -> Result<Self, BackupError> {
        let unfinished = Unfinished::beside(target);
        let create = || {
            DirBuilder::new().mode(0o700).create(&unfinished.0)?;
            File::open(&unfinished.0).and_then(|directory| directory.lock().map(|()| directory))
        };
        let lock = create().map_err(BackupError::at(&unfinished.0))?;
        Ok(Self { unfinished, _lock: lock })
    }

    /// Creates a file with a name that begins with that of `target`. Returns it for writing, too.
    pub(super) fn file(target: &Path) -> Result<(Self, File), BackupError> {
        let unfinished = Unfinished::beside(target);
        let create = || {
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished.0)?;
            file.lock()?;
            Ok((file.try_clone()?, file))
        };
        let (lock, file) = create().map_err(BackupError::at(&unfinished.0))?;
        Ok((Self { unfinished, _lock: lock }, file))
    }

    pub(super) fn path(&self) -> &Path {
        &self.unfinished.0
    }

    /// Renames the file to its target.
    pub(super) fn put_in_place(self, target: &Path) -> Result<(), BackupError> {
        backup::put_in_place(&self.unfinished, target)
    }
}

/// Removes what backups have left in a directory under names that begin with `prefix`, unless they are running.
pub(super) fn remove(directory: &Path, prefix: &str) -> Result<(), BackupError> {
    for entry in fs::read_dir(directory).map_err(BackupError::reading(directory))? {
        let entry = entry.map_err(BackupError::reading(directory))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_regular = entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir());
        if name.starts_with(prefix) && name.ends_with(SUFFIX) && is_regular {
            let path = entry.path();
            // Another process may have removed it meanwhile.
            let Ok(file) = File::open(&path) else { continue };
            if file.try_lock().is_ok() {
                drop(Unfinished(path));
            }
        }
    }
    Ok(())
}

/// Deletes what an interrupted backup has left next to its target in `directory`, for targets whose name begins with
/// `prefix`. No backup with such a target may be running.
pub fn remove_unfinished(directory: &Path, prefix: &str) -> io::Result<Vec<PathBuf>> {
    let mut removed = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_rest = name.ends_with(SUFFIX) || name.ends_with(".unfinished-journal");
        if name.starts_with(prefix) && is_rest {
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(&path)?;
            } else {
                fs::remove_file(&path)?;
            }
            removed.push(path);
        }
    }
    Ok(removed)
}
