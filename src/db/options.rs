//! How the database is opened, and the name of its file.

use std::time::Duration;

use super::writer::Watch;

/// Name of the database file in the data directory.
pub const FILE_NAME: &str = "planroom.db";

/// Options for opening a database.
#[derive(Debug, Clone)]
pub struct DbOptions {
    /// Threads and connections for point reads.
    pub readers: usize,
    /// Threads and connections for heavy reads, such as bundles and exports.
    pub heavy_readers: usize,
    /// Time limit for a job of a request.
    pub request_time: Duration,
    /// Maximum size of the file in MiB; 0: limited only by the disk.
    pub max_size_mib: u32,
    /// Tables whose changes are reported.
    pub watch: Option<Watch>,
    /// Whether [`Db::finish_check`](super::Db::finish_check) will check the integrity of the file.
    pub postpones_check: bool,
}

impl Default for DbOptions {
    fn default() -> Self {
        Self {
            readers: 2,
            heavy_readers: 2,
            request_time: Duration::from_mins(1),
            max_size_mib: 0,
            watch: None,
            postpones_check: false,
        }
    }
}
