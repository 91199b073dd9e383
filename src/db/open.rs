//! Opening connections, with the PRAGMAs that everything else relies on.

use std::{
    fs::{self, OpenOptions, Permissions},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, limits::Limit};

use super::options::Options;

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
    /// The file is a database of something else.
    #[error("{0} is not a database of Planroom, so it was not changed; choose another --data-dir")]
    Foreign(String),
    /// There are keys, but nothing that they belong to.
    #[error(
        "there is no database at {path}, but {keys} has the keys of one, or a restore was interrupted. Check that the \
         disk is mounted and the file has this name. To restore a backup, run `planroom restore FILE`. To start an empty \
         instance, move {keys} and the directory `restoring` beside it away"
    )]
    MissingDatabase {
        /// Where the database should be.
        path: String,
        /// The directory of the keys.
        keys: String,
    },
    /// There are values that only missing keys can decrypt.
    #[error(
        "{keys} has no sealing.key, and the database has {lost} that only this key can decrypt. Copy the keys of the \
         backup (FILE.keys) to {keys}. If they are lost, run `planroom keys reset` to discard what they protected"
    )]
    MissingKeys {
        /// The directory of the keys.
        keys: String,
        /// What they protect.
        lost: String,
    },
    /// There are values that these keys cannot decrypt.
    #[error(
        "the keys in {keys} are not those of this database: they cannot decrypt {lost}. Copy the keys of the backup \
         (FILE.keys) to {keys}. If they are lost, run `planroom keys reset` to discard what they protected"
    )]
    WrongKeys {
        /// The directory of the keys.
        keys: String,
        /// What they do not open.
        lost: String,
    },
    /// The disk cannot hold what is about to be written.
    #[error("{what} needs {needed} MiB in {path}, and {available} MiB are free; free up space, then try again")]
    NoSpace {
        /// What is about to be done.
        what: &'static str,
        /// Where.
        path: String,
        /// In MiB.
        needed: u64,
        /// In MiB.
        available: u64,
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
    if fs::metadata(path).is_ok_and(|found| found.len() > 0) {
        recognize(path)?;
    }
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

/// Answers with the version of the schema in a file, which is not changed and gets no files beside it. Refuses a
/// database of another program. An empty database is of version 0.
pub(super) fn recognize(path: &Path) -> Result<i32, OpenError> {
    let sorted = |error| OpenError::sorted(path, &error);
    let connection = unchanged(path)?;
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(sorted);
    if count("SELECT count(*) FROM sqlite_master")? == 0 {
        return Ok(0);
    }
    if count("SELECT count(*) FROM sqlite_master WHERE name = 'refinery_schema_history'")? == 0
        || count("SELECT count(*) FROM refinery_schema_history WHERE version = 1 AND name = 'plan_room'")? == 0
    {
        return Err(OpenError::Foreign(path.display().to_string()));
    }
    connection.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0)).map_err(sorted)
}

/// A connection that reads a file which nobody writes, and leaves no files beside it.
#[expect(clippy::disallowed_methods, reason = "this is where connections are opened")]
pub(super) fn unchanged(path: &Path) -> Result<Connection, OpenError> {
    // SQLite reads a log that lies beside the file only if it may write; where there is none, the file is all there is.
    if with_suffix(path, "-wal").exists() {
        return read_only(path);
    }
    let escaped = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)
        .map_err(|error| OpenError::sorted(path, &error))
}

/// The same path with more at its end.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
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
