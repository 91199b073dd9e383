//! The files of the keys: which files of a directory are keys, and their content.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::incarnation;

/// Maximum number of key files.
pub(super) const MAX_FILES: usize = 1_000;
/// Maximum size of a key file in bytes.
pub(super) const MAX_BYTES: u64 = 64 << 10;
/// Maximum length of a name in bytes. With its directory, it fits in the header of a tar file.
const MAX_NAME_BYTES: usize = 95;

/// Name and content of a key file.
pub(super) type KeyFile = (String, Vec<u8>);

/// The key files in a directory by name, without the position file, which belongs to the live database. Rejects other
/// files. An error contains their path.
pub(super) fn read(directory: &Path) -> Result<Vec<KeyFile>, (PathBuf, io::Error)> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error| (path, error)
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(at(directory))? {
        let entry = entry.map_err(at(directory))?;
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || name == incarnation::POSITION_FILE {
            continue;
        }
        let size = entry.metadata().map_err(at(&path))?.len();
        if size > MAX_BYTES || found.len() == MAX_FILES || !is_name(&name) {
            let text = "not a key of Planroom; move it out of the directory of the keys";
            return Err(at(&path)(io::Error::other(text)));
        }
        found.push((name, fs::read(&path).map_err(at(&path))?));
    }
    found.sort();
    Ok(found)
}

/// Whether a file of this name can be a key.
pub(super) fn is_name(name: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.len() <= MAX_NAME_BYTES
        && name.chars().all(is_allowed)
        && name != incarnation::POSITION_FILE
}
