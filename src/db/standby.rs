//! Opens the copy of a database that another process keeps up to date, for a standby.
//!
//! That process replaces the file: it writes a new file and renames it. Connections are opened as `immutable`, so SQLite
//! takes no locks, creates no other files, and writes nothing. All of them are opened at once and kept, so that they
//! read the same file even after it was replaced.

use std::{
    fmt, fs, io,
    os::unix::fs::MetadataExt,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use rusqlite::Connection;

use super::{
    incarnation::{self, Incarnation},
    migrate,
    open::{self, Soundness},
    open_error::OpenError,
    options::FILE_NAME,
    pool::{Closed, Readers},
    space,
};

/// A state of the database file: which file it is, its size, and when it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    file: (u64, u64),
    bytes: u64,
    modified: (i64, i64),
}

impl fmt::Display for FileState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file: (device, inode), bytes, modified: (seconds, nanoseconds) } = self;
        write!(f, "{device} {inode} {bytes} {seconds} {nanoseconds}")
    }
}

impl FileState {
    /// The current state of the database file in `data_dir`. None if there is none.
    pub fn of(data_dir: &Path) -> Option<Self> {
        let found = fs::metadata(data_dir.join(FILE_NAME)).ok()?;
        let modified = (found.mtime(), found.mtime_nsec());
        Some(Self { file: (found.dev(), found.ino()), bytes: found.len(), modified })
    }

    /// Whether both are states of the same file, so that one of them was changed in place.
    pub fn is_same_file(&self, other: &Self) -> bool {
        self.file == other.file
    }
}

/// The file that a standby has opened.
#[derive(Debug)]
pub(super) struct StandbyFile {
    pub(super) state: FileState,
    /// Whether the file was replaced by one that cannot be opened.
    outdated: AtomicBool,
}

impl StandbyFile {
    /// Time since the Unix epoch at which the file was written.
    pub(super) fn written_at(&self) -> Duration {
        Duration::from_secs(self.state.modified.0.unsigned_abs())
    }

    pub(super) fn is_outdated(&self) -> bool {
        self.outdated.load(Ordering::Relaxed)
    }

    pub(super) fn set_outdated(&self) {
        self.outdated.swap(true, Ordering::Relaxed);
    }
}

/// What [`open()`] has opened.
pub(super) struct Opened {
    pub(super) file: StandbyFile,
    pub(super) incarnation: Incarnation,
    /// Takes the place of the writing connection.
    pub(super) connection: Connection,
    pub(super) pool: (Readers, Closed),
}

/// Opens the database in `data_dir` without writing to it. Rejects any schema version but that of this binary.
pub(super) fn open(data_dir: &Path, readers: usize) -> Result<Opened, OpenError> {
    space::expect_temporary_files()?;
    let path = data_dir.join(FILE_NAME);
    let other = |reason: &str| OpenError::Other { path: path.display().to_string(), reason: reason.into() };
    let state = FileState::of(data_dir).ok_or_else(|| other("there is no such file; copy the database first"))?;
    if fs::metadata(open::with_suffix(&path, "-wal")).is_ok_and(|log| log.len() > 0) {
        return Err(other(
            "there is a write-ahead log next to it, so it is not a complete copy; use a file from planroom backup or \
             litestream restore, and delete the files planroom.db-wal and planroom.db-shm",
        ));
    }
    let connection = open::immutable(&path)?;
    let found = open::recognize_open(&connection, &path)?;
    let known = migrate::known();
    if found != known {
        return Err(OpenError::OtherVersion { path: path.display().to_string(), found, known });
    }
    if state.bytes <= open::MAX_CHECKED_BYTES && open::check(&connection, &path)? != Soundness::Sound {
        tracing::warn!("the search index is damaged; the primary server repairs it when it starts");
    }
    let incarnation = incarnation::of_copy(&connection).map_err(|reason| other(&reason))?;
    let pool = open::immutable_readers(&path, readers)?;
    if FileState::of(data_dir) != Some(state) {
        return Err(other("the file was replaced while it was opened"));
    }
    Ok(Opened { file: StandbyFile { state, outdated: AtomicBool::new(false) }, incarnation, connection, pool })
}

/// Makes the next server on `data_dir` start a new incarnation, even if the keys were copied together with the position
/// of the primary: the copy of the database may lack changes that clients have read.
pub fn forget_position(data_dir: &Path) -> io::Result<()> {
    match fs::remove_file(incarnation::position_path(data_dir)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
