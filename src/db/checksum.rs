//! Checksums of database backups, stored next to each backup in the format of `sha256sum`.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::open::with_suffix;

/// Maximum size of a checksum file in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// Computes the checksum of the data that passes through it.
#[derive(Default)]
pub(super) struct Checksum {
    hash: Sha256,
    pub(super) bytes: u64,
}

impl Checksum {
    /// The checksum of a file.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let mut checksum = Self::default();
        let mut file = File::open(path)?;
        let mut buffer = vec![0; 64 << 10];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(checksum),
                read => checksum.update(&buffer[..read]),
            }
        }
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    pub(super) fn hex(self) -> String {
        self.hash.finalize().iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
    }
}

/// Returns the path of the checksum of a database file.
pub fn path_of(database: &Path) -> PathBuf {
    with_suffix(database, ".sha256")
}

/// Writes the checksum of `content` for the file `database`, which gets the content later.
pub(super) fn write(content: &Path, database: &Path) -> io::Result<()> {
    let name = database.file_name().unwrap_or_default().to_string_lossy();
    let line = format!("{}  {name}\n", Checksum::of(content)?.hex());
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path_of(database))?;
    file.write_all(line.as_bytes())?;
    file.sync_all()
}

/// Compares a database file with its checksum. Returns `None` if it has no checksum.
pub(super) fn verify(database: &Path) -> io::Result<Option<bool>> {
    let path = path_of(database);
    match fs::metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        // Opening another kind of file, such as a named pipe, can wait forever.
        Ok(found) if !found.is_file() => return Err(io::Error::other("it is not a regular file")),
        found => found.map(drop)?,
    }
    // SQLite would read a write-ahead log, which a backup does not have.
    if with_suffix(database, "-wal").exists() {
        return Ok(Some(false));
    }
    let mut text = Vec::new();
    File::open(&path)?.take(MAX_BYTES).read_to_end(&mut text)?;
    // The file may have been renamed.
    let text = String::from_utf8_lossy(&text);
    let expected = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    Ok(Some(Checksum::of(database)?.hex() == expected))
}
