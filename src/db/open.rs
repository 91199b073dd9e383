//! Opens connections with the required PRAGMAs.

use std::{
    fs::{self, OpenOptions, Permissions},
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, config::DbConfig, limits::Limit};

use super::{
    definition,
    open_error::OpenError,
    options::DbOptions,
    pool::{self, Closed, Readers},
};

/// Maximum file size in bytes for a full integrity check at startup. It would take too long for larger files.
pub(super) const MAX_CHECKED_BYTES: u64 = 256 << 20;

/// Opens the writing connection and checks the file, unless it is too large.
#[expect(clippy::disallowed_methods, reason = "connections are opened here")]
pub(super) fn writer(path: &Path, options: &DbOptions) -> Result<(Connection, Soundness), OpenError> {
    let sorted = |error| OpenError::sorted(path, &error);
    if fs::metadata(path).is_ok_and(|found| found.len() > 0) {
        recognize(path)?;
    }
    let existing = private(path).map_err(OpenError::file(path))?;
    let connection = Connection::open(path).map_err(sorted)?;
    if existing == 0 {
        // Only before the first page is written. `planroom vacuum` changes existing databases.
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL").map_err(sorted)?;
    }
    tune(&connection).map_err(sorted)?;
    let mut soundness = Soundness::Sound;
    if !options.postpones_check && (1..=MAX_CHECKED_BYTES).contains(&existing) {
        soundness = check(&connection, path)?;
    }
    if options.max_size_mib > 0 {
        let page_size: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0)).map_err(sorted)?;
        let pages = (i64::from(options.max_size_mib) << 20) / page_size.max(1);
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).map_err(sorted)?;
    }
    Ok((connection, soundness))
}

/// Creates the file if it does not exist, readable by its owner only; SQLite creates the accompanying files with the
/// same mode. Returns its length.
fn private(path: &Path) -> std::io::Result<u64> {
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    let found = file.metadata()?;
    if found.permissions().mode() & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    Ok(found.len())
}

/// Opens the pool of read-only connections. The pool opens connections later too: if the file has been deleted or
/// replaced by then, that fails, and the pool tries again. Otherwise SQLite would create an empty file, whose first
/// connection would delete the write-ahead log.
pub(super) fn readers(path: &Path, size: usize) -> Result<(Readers, Closed), OpenError> {
    let opened = file_identity(path);
    let file = path.to_owned();
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let manager = r2d2_sqlite::SqliteConnectionManager::file(path).with_flags(flags).with_init(move |connection| {
        if file_identity(&file) != opened {
            return Err(rusqlite::Error::InvalidPath(file.clone()));
        }
        tune(connection)?;
        connection.pragma_update(None, "query_only", true)
    });
    pool::build(r2d2::Pool::builder().min_idle(Some(1)), size, manager, path)
}

/// Opens a read-only connection to a file.
#[expect(clippy::disallowed_methods, reason = "connections are opened here")]
pub(super) fn read_only(path: &Path) -> Result<Connection, OpenError> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(|error| OpenError::sorted(path, &error))
}

/// The first migration, of today and up to schema 32.
const IS_FIRST_MIGRATION: &str = "(version, name) IN (VALUES (33, 'accounts'), (1, 'plan_room'))";

/// Returns the schema version of a file without changing it or creating accompanying files. Rejects a database of
/// another program. The version of an empty database is 0.
pub(super) fn recognize(path: &Path) -> Result<i32, OpenError> {
    recognize_open(&unchanged(path)?, path)
}

/// The same for an open file.
pub(super) fn recognize_open(connection: &Connection, path: &Path) -> Result<i32, OpenError> {
    let sorted = |error| OpenError::sorted(path, &error);
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(sorted);
    if count("SELECT count(*) FROM sqlite_master")? == 0 {
        return Ok(0);
    }
    if !definition::has_history(connection).map_err(sorted)?
        || count(&format!("SELECT count(*) FROM refinery_schema_history WHERE {IS_FIRST_MIGRATION}"))? == 0
    {
        return Err(OpenError::Foreign(path.display().to_string()));
    }
    connection.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0)).map_err(sorted)
}

/// Opens a read-only connection to a file that no other process writes, without creating accompanying files.
pub(super) fn unchanged(path: &Path) -> Result<Connection, OpenError> {
    // SQLite can read a write-ahead log only through a writable connection. Without a log, the file is complete.
    if with_suffix(path, "-wal").exists() {
        return read_only(path);
    }
    immutable(path)
}

/// Opens a connection to a complete file that is never changed in place. The write-ahead log is not read.
#[expect(clippy::disallowed_methods, reason = "connections are opened here")]
pub(super) fn immutable(path: &Path) -> Result<Connection, OpenError> {
    let (uri, flags) = immutable_uri(path);
    Connection::open_with_flags(uri, flags).map_err(|error| OpenError::sorted(path, &error))
}

/// Opens a pool of such connections. All of them are opened now, and none is opened later.
pub(super) fn immutable_readers(path: &Path, size: usize) -> Result<(Readers, Closed), OpenError> {
    let (uri, flags) = immutable_uri(path);
    let manager = r2d2_sqlite::SqliteConnectionManager::file(uri).with_flags(flags).with_init(|connection| {
        connection.pragma_update(None, "query_only", true)?;
        restrict(connection)
    });
    let builder = r2d2::Pool::builder().min_idle(None).idle_timeout(None).max_lifetime(None);
    pool::build(builder, size, manager, path)
}

fn immutable_uri(path: &Path) -> (String, OpenFlags) {
    let escaped = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    (format!("file:{escaped}?immutable=1"), flags)
}

/// Device and number of a file. None if it does not exist.
pub(super) fn file_identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

/// Appends a suffix to a path.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Rejects a damaged file.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<Soundness, OpenError> {
    let verdict = verdict(connection, QUICK_CHECK).map_err(|error| OpenError::sorted(path, &error))?;
    verdict.map_err(|reason| OpenError::Corrupt { path: path.display().to_string(), reason })
}

/// What of an intact database has to be repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Soundness {
    /// Nothing.
    Sound,
    /// The search index, which can be filled again from other rows.
    DamagedSearchIndex,
}

/// The check at a start.
const QUICK_CHECK: &str = "quick_check";

/// The result of an integrity check: `quick_check` or `integrity_check`. An error is the first damage, with the number of
/// others.
pub(super) fn verdict(connection: &Connection, check: &str) -> rusqlite::Result<Result<Soundness, String>> {
    let mut statement = connection.prepare(&format!("PRAGMA {check}"))?;
    let mut rows = statement.query([])?;
    let (mut soundness, mut damage) = (Soundness::Sound, Vec::new());
    loop {
        let row = match rows.next() {
            Ok(Some(row)) => row,
            Ok(None) => break,
            // Damage can prevent the rest of the check.
            Err(_) if !damage.is_empty() => break,
            // A quick check can describe the damage. If it finds none, the complete check has still failed.
            Err(error) if check != QUICK_CHECK => match verdict(connection, QUICK_CHECK)? {
                Err(damage) => return Ok(Err(damage)),
                Ok(_) => return Err(error),
            },
            Err(error) => return Err(error),
        };
        let verdict: String = row.get(0)?;
        match verdict.as_str() {
            "ok" => {}
            _ if is_about_search_index(&verdict) => soundness = Soundness::DamagedSearchIndex,
            // A row can have several lines; the first is a heading.
            _ => damage.extend(verdict.lines().filter(|line| !line.starts_with("***")).map(str::to_owned)),
        }
    }
    Ok(match damage.split_first() {
        None => Ok(soundness),
        Some((first, [])) => Err(first.clone()),
        Some((first, others)) => Err(format!("{first}, and {} more", others.len())),
    })
}

/// Whether a message of SQLite is about the content of the search index and not about the pages that store it.
fn is_about_search_index(message: &str) -> bool {
    message.starts_with("fts5: ") || message.contains("FTS5 table main.search_index")
}

/// Size to which SQLite truncates the write-ahead log when it starts again from its beginning. It grows beyond it while
/// a long read prevents that.
const MAX_IDLE_LOG_BYTES: i64 = 64 << 20;

/// Configures a connection. The busy timeout is set first because switching to WAL mode may have to wait.
fn tune(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update_and_check(None, "journal_size_limit", MAX_IDLE_LOG_BYTES, |_| Ok(()))?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Deleted rows are overwritten in pages that are written anyway, so the file keeps no deleted personal data there.
    connection.pragma_update_and_check(None, "secure_delete", "FAST", |_| Ok(()))?;
    restrict(connection)
}

/// Configures what all connections have in common.
fn restrict(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    // Otherwise a prepared statement is compiled again each time, because its plan can depend on the value of `LIMIT`.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(256);
    Ok(())
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    #[test]
    fn prepared_statements_are_not_compiled_again_for_other_values() {
        let connection = Connection::open_in_memory().unwrap();
        restrict(&connection).unwrap();
        let mut statement = connection.prepare("SELECT name FROM sqlite_master ORDER BY name LIMIT ?1").unwrap();
        for limit in [10, 20] {
            assert_eq!(statement.query_map([limit], |row| row.get::<_, String>(0)).unwrap().count(), 0);
        }
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }

    #[test]
    fn savepoints_of_usual_commits_are_kept_in_memory() {
        let connection = Connection::open_in_memory().unwrap();
        let mut options = connection.prepare("PRAGMA compile_options").unwrap();
        let options: Vec<String> = options.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert!(options.contains(&"STMTJRNL_SPILL=130000".to_owned()), "see .cargo/config.toml: {options:?}");
    }
}
