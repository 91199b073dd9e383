//! How the database is opened, and the name of its file.

use std::time::Duration;

use super::writer::Watch;

/// Name of the database file in the data directory.
pub const FILE_NAME: &str = "planroom.db";

/// How the database is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// Threads, and connections, for point reads.
    pub readers: usize,
    /// Threads, and connections, for bundles and exports.
    pub heavy_readers: usize,
    /// How long a job of a request may run before it is stopped.
    pub request_time: Duration,
    /// The file may not grow beyond this many MiB; 0 leaves the limit to the disk.
    pub max_size_mib: u32,
    /// Tables whose changes somebody must hear of.
    pub watch: Option<Watch>,
}

impl Default for Options {
    fn default() -> Self {
        Self { readers: 2, heavy_readers: 2, request_time: Duration::from_mins(1), max_size_mib: 0, watch: None }
    }
}
