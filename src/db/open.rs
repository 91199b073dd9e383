//! Opening connections, with the PRAGMAs that everything else relies on.

use std::{
    fs::{OpenOptions, Permissions},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
};
use std::{path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags, limits::Limit};

use super::Options;

/// Why a database cannot be used. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process serves this data directory.
    #[error("another Planroom already uses {0}; stop it first, or choose another --data-dir")]
    Locked(String),
    /// The schema is from the future.
    #[error(
        "the database {path} is of version {found}, made by a newer Planroom; this one knows versions up to {known}. \
         Start the newer release, or restore the backup that it made before migrating"
    )]
    Newer {
        /// The file.
        path: String,
        /// The schema's version.
        found: i32,
        /// The newest version this binary has a migration for.
        known: i32,
    },
    /// The file is not a sound database.
    #[error("the database {path} is damaged ({reason}); restore a backup over it, and keep the damaged file")]
    Corrupt {
        /// The file.
        path: String,
        /// What SQLite found.
        reason: String,
    },
    /// The directory or file cannot be read and written.
    #[error("cannot use the data directory: {0}")]
    Io(#[from] std::io::Error),
    /// Anything else.
    #[error("cannot open the database {path}: {reason}")]
    Other {
        /// The file.
        path: String,
        /// What SQLite said.
        reason: String,
    },
}

impl OpenError {
    /// Sorts an error of SQLite's.
    pub(super) fn sorted(path: &Path, error: &rusqlite::Error) -> Self {
        let (path, reason) = (path.display().to_string(), error.to_string());
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
                Self::Corrupt { path, reason }
            }
            _ => Self::Other { path, reason },
        }
    }
}

/// Files up to this size are checked from end to end at every start; larger ones would hold it up.
const CHECKED_AT_START: u64 = 256 << 20;

/// The one connection that writes.
#[expect(clippy::disallowed_methods, reason = "this is where connections are opened")]
pub(super) fn writer(path: &Path, options: &Options) -> Result<Connection, OpenError> {
    let sorted = |error| OpenError::sorted(path, &error);
    let existing = private(path)
        .map_err(|error| OpenError::Other { path: path.display().to_string(), reason: error.to_string() })?;
    let connection = Connection::open(path).map_err(sorted)?;
    tune(&connection).map_err(sorted)?;
    if (1..=CHECKED_AT_START).contains(&existing) {
        check(&connection, path)?;
    }
    if options.max_size_mib > 0 {
        let page_size: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0)).map_err(sorted)?;
        let pages = (i64::from(options.max_size_mib) << 20) / page_size.max(1);
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).map_err(sorted)?;
    }
    Ok(connection)
}

/// Makes the file when it does not exist, readable by its owner alone; SQLite gives the files beside it the same mode.
/// Answers with its length.
fn private(path: &Path) -> std::io::Result<u64> {
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    let found = file.metadata()?;
    if found.permissions().mode() & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    Ok(found.len())
}

/// The pool of connections that cannot write.
pub(super) fn readers(path: &Path, size: usize) -> Result<r2d2::Pool<r2d2_sqlite::SqliteConnectionManager>, OpenError> {
    let manager = r2d2_sqlite::SqliteConnectionManager::file(path).with_init(|connection| {
        tune(connection)?;
        connection.pragma_update(None, "query_only", true)
    });
    let size = u32::try_from(size.max(1)).unwrap_or(u32::MAX);
    r2d2::Pool::builder()
        .max_size(size)
        .min_idle(Some(1))
        .test_on_check_out(false)
        .build(manager)
        .map_err(|error| OpenError::Other { path: path.display().to_string(), reason: error.to_string() })
}

/// A connection for one look at a file, which is not changed.
#[expect(clippy::disallowed_methods, reason = "this is where connections are opened")]
pub(super) fn read_only(path: &Path) -> Result<Connection, OpenError> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(|error| OpenError::sorted(path, &error))
}

/// Refuses a file whose pages do not fit together.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let verdict: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| OpenError::sorted(path, &error))?;
    if verdict == "ok" {
        return Ok(());
    }
    Err(OpenError::Corrupt { path: path.display().to_string(), reason: verdict })
}

/// What every connection has in common. The busy time-out comes first: the switch to WAL may have to wait.
fn tune(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_prepared_statement_cache_capacity(256);
    Ok(())
}
