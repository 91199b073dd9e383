//! The lock on the data directory, held by the server or by one command.

use std::{
    fs::{File, TryLockError},
    io::Write,
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::Path,
};

use super::open::OpenError;

/// The lock on a data directory. It is released on drop, and if the process crashes.
#[derive(Debug)]
pub struct DataDirLock {
    _file: File,
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
            .write(true)
            .mode(0o600)
            .open(data_dir.join("planroom.lock"))
            .map_err(failed())?;
        match file.try_lock() {
            Ok(()) => {
                let written = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                written.map_err(failed())?;
                Ok(Self { _file: file })
            }
            Err(TryLockError::WouldBlock) => Err(OpenError::Locked(data_dir.display().to_string())),
            Err(TryLockError::Error(error)) => Err(failed()(error)),
        }
    }
}

/// Rejects a directory of another user: root would create files in it that the service cannot open.
fn refuse_foreign(data_dir: &Path, owner: u32) -> Result<(), OpenError> {
    let user = rustix::process::geteuid().as_raw();
    if owner == user {
        return Ok(());
    }
    Err(OpenError::OtherOwner { path: data_dir.display().to_string(), owner, user })
}
