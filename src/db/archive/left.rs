//! Files and directories of unfinished backups. Their process locks each of them, so that the next backup recognizes files of a
//! process that was killed.

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

    /// Creates a file with a name that begins with that of `target`, and opens it for writing.
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

/// Removes files and directories of interrupted backups whose names begin with `prefix`.
pub(super) fn remove(directory: &Path, prefix: &str) -> Result<(), BackupError> {
    for entry in fs::read_dir(directory).map_err(BackupError::reading(directory))? {
        let entry = entry.map_err(BackupError::reading(directory))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_regular = entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir());
        if name.starts_with(prefix) && name.ends_with(SUFFIX) && is_regular {
            let path = entry.path();
            // Another process may have removed it.
            let Ok(file) = File::open(&path) else { continue };
            if file.try_lock().is_ok() {
                drop(Unfinished(path));
            }
        }
    }
    Ok(())
}

/// Deletes files of interrupted backups in `directory` whose target has a name that begins with `prefix`. No backup with such
/// a target may be running.
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
