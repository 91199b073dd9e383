//! Backup archives: the database, and optionally the keys, in one compressed file.
//!
//! An archive is a tar file compressed with zstd, and encrypted as a whole if there is a passphrase
//! ([`crate::encryption`]). Without encryption, `tar --zstd -xf` unpacks it. The first entry is `manifest.json`, which
//! lists the following entries in their order with size and checksum: `planroom.db` and the files of `keys/`.

mod left;
mod read;
mod write;

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use serde::{Deserialize, Serialize};

pub(super) use self::read::unpack;
pub use self::{
    left::remove_unfinished,
    read::{ArchiveError, read_manifest, verify},
    write::{ArchiveOptions, Stage, create},
};
use super::checksum::Checksum;
use crate::encryption;

/// Name and version of the format.
const FORMAT: &str = "planroom-archive/1";
/// The first entry.
const MANIFEST: &str = "manifest.json";
/// Directory of the keys.
const KEYS: &str = "keys";
/// The first bytes of a file compressed with zstd.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Maximum size of the manifest in bytes.
const MAX_MANIFEST_BYTES: u64 = 1 << 20;

/// The contents of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Name and version of the format.
    pub format: String,
    /// Version of Planroom that wrote the archive.
    pub version: String,
    /// Schema version of the database.
    pub schema: i32,
    /// Incarnation of the database; none if it has none yet.
    pub incarnation: Option<String>,
    /// Id of the last change in the change log.
    pub last_change: i64,
    /// Time of the backup in Unix milliseconds.
    pub created_at: i64,
    /// The other entries in their order.
    pub files: Vec<ArchivedFile>,
}

/// An entry of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedFile {
    /// Path in the archive, and in the data directory.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 in lowercase hexadecimal digits.
    pub sha256: String,
}

impl Manifest {
    /// Whether the archive contains keys.
    pub fn has_keys(&self) -> bool {
        self.files.iter().any(|file| file.path.starts_with(KEYS))
    }

    /// Size of the database in bytes.
    pub fn database_bytes(&self) -> u64 {
        self.files.iter().find(|file| file.path == super::options::FILE_NAME).map_or(0, |file| file.bytes)
    }
}

/// What kind of backup a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupKind {
    /// A copy of the database, or another file.
    Database,
    /// An archive.
    Archive,
    /// An archive that is encrypted with a passphrase.
    EncryptedArchive,
}

impl BackupKind {
    /// Determines the kind from the first bytes of a file.
    pub fn of(file: &Path) -> io::Result<Self> {
        let mut start = Vec::new();
        File::open(file)?.take(encryption::MAGIC.len() as u64).read_to_end(&mut start)?;
        Ok(if start == encryption::MAGIC {
            Self::EncryptedArchive
        } else if start.starts_with(&ZSTD_MAGIC) {
            Self::Archive
        } else {
            Self::Database
        })
    }
}
