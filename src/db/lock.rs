//! The lock on the data directory, held by the server or by one command.
//!
//! The file contains the id of the process. After the process has closed a checked database in an orderly way, a second
//! line contains the state of the database file, so that the next start can postpone the check.

use std::{
    fs::{File, TryLockError},
    io::{self, Read},
    os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use super::open_error::OpenError;

/// Name of the lock file in the data directory.
pub const FILE_NAME: &str = "planroom.lock";

/// The lock on a data directory. It is released on drop, and if the process crashes.
#[derive(Debug)]
pub struct DataDirLock {
    file: File,
    data_dir: PathBuf,
    closed_state: Option<String>,
}

impl DataDirLock {
    /// Locks the directory, creating it if it does not exist (mode 0700).
    pub fn take(data_dir: &Path) -> Result<Self, OpenError> {
        let failed = || OpenError::data_dir(data_dir);
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(data_dir).map_err(failed())?;
        let owner = std::fs::metadata(data_dir).map_err(failed())?.uid();
        refuse_foreign(data_dir, owner)?;
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .mode(0o600)
            .open(data_dir.join(FILE_NAME))
            .map_err(failed())?;
        match file.try_lock() {
            Ok(()) => {
                let mut earlier = Vec::new();
                file.read_to_end(&mut earlier).map_err(failed())?;
                // A crash must not leave the state of the database before this process has written to it.
                let written = file.set_len(0).and_then(|()| file.write_all_at(process_id().as_bytes(), 0));
                written.map_err(failed())?;
                let closed_state = String::from_utf8(earlier).ok();
                let closed_state = closed_state.and_then(|text| Some(text.split_once('\n')?.1.to_owned()));
                Ok(Self { file, data_dir: data_dir.to_owned(), closed_state })
            }
            Err(TryLockError::WouldBlock) => Err(OpenError::Locked(data_dir.display().to_string())),
            Err(TryLockError::Error(error)) => Err(failed()(error)),
        }
    }

    pub(super) fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// The state of the database file that the last process has recorded.
    pub(super) fn closed_state(&self) -> Option<&str> {
        self.closed_state.as_deref()
    }

    /// Records the state of the database file, which is closed.
    pub(super) fn record_closed(&self, state: &str) -> io::Result<()> {
        self.file.write_all_at(format!("{}\n{state}", process_id()).as_bytes(), 0)
    }
}

/// The error for a file in `data_dir` that cannot be accessed. It usually belongs to another user.
pub fn denied(data_dir: &Path, cause: io::Error) -> OpenError {
    // Only the owner of a parent directory may be visible.
    let visible = data_dir.ancestors().find_map(|path| Some((path, std::fs::metadata(path).ok()?.uid())));
    match visible {
        Some((path, owner)) if cause.kind() == io::ErrorKind::PermissionDenied => {
            refuse_foreign(path, owner).err().unwrap_or_else(|| OpenError::data_dir(data_dir)(cause))
        }
        _ => OpenError::data_dir(data_dir)(cause),
    }
}

fn process_id() -> String {
    std::process::id().to_string()
}

/// Rejects a directory of another user: root would create files in it that the service cannot open.
fn refuse_foreign(data_dir: &Path, owner: u32) -> Result<(), OpenError> {
    let user = rustix::process::geteuid().as_raw();
    if owner == user {
        return Ok(());
    }
    Err(OpenError::OtherOwner { path: data_dir.display().to_string(), owner, user })
}
