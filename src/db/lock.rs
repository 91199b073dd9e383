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
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(data_dir)?;
        refuse_foreign(data_dir)?;
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(data_dir.join("planroom.lock"))?;
        match file.try_lock() {
            Ok(()) => {
                file.set_len(0)?;
                write!(file, "{}", std::process::id())?;
                Ok(Self { _file: file })
            }
            Err(TryLockError::WouldBlock) => Err(OpenError::Locked(data_dir.display().to_string())),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }
}

/// Rejects a directory of another user: root would create files in it that the service cannot open.
fn refuse_foreign(data_dir: &Path) -> Result<(), OpenError> {
    let (owner, ours) = (std::fs::metadata(data_dir)?.uid(), rustix::process::geteuid().as_raw());
    if owner == ours {
        return Ok(());
    }
    Err(OpenError::Io(std::io::Error::new(
        std::io::ErrorKind::PermissionDenied,
        format!(
            "{} belongs to user id {owner}, but this command runs as user id {ours}; run it as the owner, for \
             example with sudo -u",
            data_dir.display()
        ),
    )))
}
