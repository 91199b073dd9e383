//! The load and the size of the database, for monitoring.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{options::FILE_NAME, space, writer::WriterMeter};
use crate::blocking::PoolMeter;

/// Reads the load and the size of the database, and does not keep it open.
#[derive(Debug, Clone)]
pub struct DbMeter {
    pub(super) path: PathBuf,
    /// The thread pools for reads and for long work.
    pub pools: Vec<PoolMeter>,
    /// The writer.
    pub writer: WriterMeter,
    /// On a standby: time since the Unix epoch at which its copy was written.
    pub standby_written_at: Option<Duration>,
}

impl DbMeter {
    /// Size of the database file in bytes.
    pub fn file_bytes(&self) -> u64 {
        size(&self.path)
    }

    /// Size of the write-ahead log in bytes.
    pub fn wal_bytes(&self) -> u64 {
        size(&self.path.with_file_name(format!("{FILE_NAME}-wal")))
    }

    /// Free bytes on the file system of the database. None if unknown.
    pub fn free_bytes(&self) -> Option<u64> {
        space::free(self.path.parent()?)
    }
}

/// Size of a file in bytes; 0 if it does not exist.
fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}
