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

/// Reads the file at `path`. If it does not exist, creates it with the result of `make`, readable by its owner only.
pub(super) fn read_or_create(path: &Path, make: impl FnOnce() -> io::Result<Vec<u8>>) -> io::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key = make()?;
            let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
            file.write_all(&key)?;
            file.sync_all()?;
            Ok(key)
        }
        read => read,
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
