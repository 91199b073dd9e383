//! Why a database cannot be opened, and what to do.

use std::{fs, path::Path};

/// Why a database cannot be opened. Each message states what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has locked the data directory.
    #[error("another Planroom process is using {0}; stop it first, or choose another --data-dir")]
    Locked(String),
    /// The schema is newer than this binary.
    #[error(
        "the database {path} has version {found} from a newer release of Planroom; this release supports versions up \
         to {known}. Start the newer release, or restore the backup that it created before the upgrade"
    )]
    Newer {
        /// The file.
        path: String,
        /// The schema version.
        found: i32,
        /// The newest version that this binary supports.
        known: i32,
    },
    /// The schema is too old to be upgraded by this binary.
    #[error(
        "the database {path} has version {found}, but this release upgrades versions from {oldest} on. Open the database once \
         with the last revision with schema {oldest} ({revision}), which upgrades it, and then with this release"
    )]
    TooOld {
        /// The file.
        path: String,
        /// The schema version.
        found: i32,
        /// The oldest version that this binary upgrades.
        oldest: i32,
        /// The revision of the source that upgrades older versions to it.
        revision: &'static str,
    },
    /// The schema of a standby's copy is not that of this binary.
    #[error(
        "the database {path} has version {found}, but a standby of this release needs version {known}: run the same \
         release on the standby and on the primary server"
    )]
    OtherVersion {
        /// The file.
        path: String,
        /// The schema version.
        found: i32,
        /// The schema version of this binary.
        known: i32,
    },
    /// The file is damaged.
    #[error(
        "the database {path} is damaged ({reason}); restore a backup; `planroom restore FILE --replace` keeps the \
         damaged file"
    )]
    Corrupt {
        /// The file.
        path: String,
        /// The message of SQLite.
        reason: String,
    },
    /// The file is a database of another program.
    #[error("{0} is not a Planroom database and was not changed; choose another --data-dir")]
    Foreign(String),
    /// There are keys but no database.
    #[error(
        "there is no database at {path}, but {keys} has the keys of one, or a restore was interrupted. Check that the \
         disk is mounted and the file has this name. After an interrupted restore, the previous database is in the newest \
         directory `replaced-TIME` next to it: move its files back, or restore again with `planroom restore FILE`. To start \
         an empty instance, move away {keys} and the directory `restoring`"
    )]
    MissingDatabase {
        /// Expected path of the database.
        path: String,
        /// The directory of the keys.
        keys: String,
    },
    /// Keys that data in the database needs are missing.
    #[error(
        "{keys} has no {missing}, without which {lost} in the database cannot be used. Copy the keys from the backup \
         (FILE.keys) to {keys}. If they are lost, run `planroom keys reset` to accept the loss"
    )]
    MissingKeys {
        /// The directory of the keys.
        keys: String,
        /// The names of the missing keys.
        missing: &'static str,
        /// The data that needs them.
        lost: String,
    },
    /// The keys cannot be read.
    #[error("cannot use the keys: {0}")]
    Keys(std::io::Error),
    /// A file that the configuration names cannot be used.
    #[error("{0}")]
    Configuration(String),
    /// The keys do not belong to the database.
    #[error(
        "the keys in {keys} do not belong to this database: they cannot decrypt {lost}. Copy the keys from the backup \
         (FILE.keys) to {keys}. If they are lost, run `planroom keys reset` to discard this data"
    )]
    WrongKeys {
        /// The directory of the keys.
        keys: String,
        /// The data that they cannot decrypt.
        lost: String,
    },
    /// There is not enough free disk space.
    #[error("{what} requires {needed} MiB in {path}, but only {available} MiB are free; free up space, then try again")]
    NoSpace {
        /// The operation.
        what: &'static str,
        /// The directory.
        path: String,
        /// In MiB.
        needed: u64,
        /// In MiB.
        available: u64,
    },
    /// SQLite cannot create temporary files.
    #[error(
        "there is no writable directory for temporary files, which the database needs: set TMPDIR to one, such as the data \
         directory, or make /tmp writable (in a container with a read-only file system: --tmpfs /tmp)"
    )]
    NoTemporaryDirectory,
    /// The data directory or a file in it cannot be read and written.
    #[error(
        "cannot use the data directory {path}: {cause}; check that it is a directory in which the user of the server \
         can read and write all files, or choose another --data-dir"
    )]
    DataDir {
        /// The directory.
        path: String,
        /// The system error.
        cause: std::io::Error,
    },
    /// The data directory belongs to another user.
    #[error(
        "{path} belongs to user id {owner}, but this command runs as user id {user}; run it as the owner, for example \
         with sudo -u"
    )]
    OtherOwner {
        /// The directory.
        path: String,
        /// Its owner.
        owner: u32,
        /// The user of this process.
        user: u32,
    },
    /// A file in the data directory cannot be opened.
    #[error(
        "cannot open {path}: {cause}; check that the file belongs to the user of the server, who must be able to read and write it"
    )]
    Unopenable {
        /// The file.
        path: String,
        /// The system error.
        cause: std::io::Error,
    },
    /// An error that does not concern the data.
    #[error("cannot start: {0}")]
    Io(#[from] std::io::Error),
    /// Any other error.
    #[error("cannot open the database {path}: {reason}")]
    Other {
        /// The file.
        path: String,
        /// The error message.
        reason: String,
    },
}

impl OpenError {
    /// An error of the data directory, or of a directory in it.
    pub fn data_dir(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.display().to_string();
        move |cause| Self::DataDir { path, cause }
    }

    /// An error of a file in the data directory.
    pub(super) fn file(path: &Path) -> impl Fn(std::io::Error) -> Self {
        let path = path.display().to_string();
        move |cause| Self::Unopenable { path: path.clone(), cause }
    }

    /// An error of SQLite, and what to do about it, for a longer message.
    pub(super) fn reason(path: &Path, error: &rusqlite::Error) -> String {
        match Self::sorted(path, error) {
            Self::Corrupt { reason, .. } | Self::Other { reason, .. } => reason,
            other => other.to_string(),
        }
    }

    /// Classifies an error of SQLite.
    pub(super) fn sorted(path: &Path, error: &rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let code = error.sqlite_error_code();
        // SQLite does not report why it cannot open a file.
        if code == Some(ErrorCode::CannotOpen)
            && let Err(cause) = fs::File::open(path)
        {
            return Self::file(path)(cause);
        }
        let (path, reason) = (path.display().to_string(), error.to_string());
        match code {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::Corrupt { path, reason },
            Some(ErrorCode::DiskFull) => {
                Self::Other { path, reason: format!("{reason}; free up space, then try again") }
            }
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => {
                let reason = "SQLite creates files next to it, which is not possible; check that its directory is \
                              writable, or copy the directory to a writable one";
                Self::Other { path, reason: reason.into() }
            }
            _ => Self::Other { path, reason },
        }
    }
}
