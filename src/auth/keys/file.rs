//! The files of the keys: creation and permissions.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::Path,
};

/// Sets the key directory and its files to owner-only permissions.
pub(super) fn restrict_permissions(directory: &Path) -> io::Result<()> {
    let only_owner = |path: &Path, mode: u32| {
        let permissions = fs::symlink_metadata(path)?.permissions();
        let others = permissions.mode() & 0o077;
        if others == 0 {
            return Ok(());
        }
        tracing::warn!(path = %path.display(), "restricted a file that was readable by other users to its owner");
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|error| {
            let text = format!("{} is readable by others and cannot be made private: {error}", path.display());
            io::Error::new(error.kind(), text)
        })
    };
    only_owner(directory, 0o700)?;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            only_owner(&entry.path(), 0o600)?;
        }
    }
    Ok(())
}

/// What happens to missing keys.
#[derive(Debug, Clone, Copy)]
pub(super) enum MissingKey {
    /// They are created.
    Create,
    /// Random ones take their place in memory. No file is changed.
    Substitute,
}

/// Reads the key at `path`. If it does not exist, returns the result of `make`, for [`MissingKey::Create`] after writing
/// it to a file that is readable by its owner only.
pub(super) fn read_key(
    path: &Path,
    missing: MissingKey,
    make: impl FnOnce() -> io::Result<Vec<u8>>,
) -> io::Result<Vec<u8>> {
    if let Some(key) = read(path)? {
        return Ok(key);
    }
    let key = make()?;
    if matches!(missing, MissingKey::Create) {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        file.write_all(&key)?;
        file.sync_all()?;
    }
    Ok(key)
}

/// Reads a file. None if it does not exist.
pub(super) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let text = format!("cannot read {}: {error}; check that the user of the server owns it", path.display());
            Err(io::Error::new(error.kind(), text))
        }
    }
}

/// Replaces a file atomically.
pub(super) fn replace(directory: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let unfinished = directory.join(format!("{name}.unfinished"));
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&unfinished, directory.join(name))?;
    fs::File::open(directory)?.sync_all()
}
