//! Examines a database without changing it, also while a server uses it.

use std::{fs, path::Path};

use rusqlite::Connection;

use super::{
    migrate,
    open::{self, Soundness, with_suffix},
    open_error::OpenError,
    options::FILE_NAME,
    schema,
};
use crate::error::{Error, Result};

/// The condition of a database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Condition {
    /// Schema version.
    pub schema: i32,
    /// The newest schema version that this binary supports.
    pub known_schema: i32,
    /// Why this binary cannot open a database with this schema version.
    pub unsupported: Option<String>,
    /// The first damage that the integrity check found.
    pub damage: Option<String>,
    /// Whether the search index is damaged. It can be filled again.
    pub is_search_index_damaged: bool,
    /// The first difference between the schema and that of the migrations.
    pub foreign_schema: Option<String>,
    /// Tables whose rows refer to missing rows.
    pub broken_references: Vec<String>,
    /// Size of the database file in bytes.
    pub bytes: u64,
    /// Unused space in the database file in bytes.
    pub unused_bytes: u64,
    /// Size of the write-ahead log in bytes.
    pub log_bytes: u64,
    /// Free space on the file system in bytes; none if it is unknown.
    pub free_bytes: Option<u64>,
}

/// Examines the database in `data_dir`. Reads the whole file.
pub fn examine(data_dir: &Path) -> std::result::Result<Condition, OpenError> {
    let path = data_dir.join(FILE_NAME);
    let sorted = |error| OpenError::sorted(&path, &error);
    let length = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
    let schema = open::recognize(&path)?;
    let mut condition = Condition {
        schema,
        known_schema: migrate::known(),
        unsupported: migrate::expect_supported(&path, schema).err().map(|error| error.to_string()),
        bytes: length(&path),
        log_bytes: length(&with_suffix(&path, "-wal")),
        free_bytes: super::space::free(data_dir),
        ..Condition::default()
    };
    let connection = open::unchanged(&path)?;
    match open::verdict(&connection, "integrity_check").map_err(sorted)? {
        Ok(soundness) => condition.is_search_index_damaged = soundness == Soundness::DamagedSearchIndex,
        // Further checks would fail with less to say.
        Err(damage) => return Ok(Condition { damage: Some(damage), ..condition }),
    }
    if condition.schema > 0 && condition.unsupported.is_none() {
        condition.foreign_schema = schema::foreign(&connection, &path)?;
    }
    let mut broken = connection.prepare("PRAGMA foreign_key_check").map_err(sorted)?;
    let tables = broken.query_map([], |row| row.get::<_, String>(0)).map_err(sorted)?;
    condition.broken_references = tables.collect::<rusqlite::Result<_>>().map_err(sorted)?;
    condition.broken_references.sort();
    condition.broken_references.dedup();
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(sorted);
    condition.unused_bytes = u64::try_from(number("freelist_count")? * number("page_size")?).unwrap_or(0);
    Ok(condition)
}

/// Runs `look` on a read-only connection to the database in `data_dir`.
pub fn look<T>(data_dir: &Path, look: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    look(&open::unchanged(&data_dir.join(FILE_NAME)).map_err(Error::internal)?)
}

/// Runs `look` on a read-only connection to the database in `data_dir` before it is opened, which changes nothing. Rejects
/// files that cannot be opened. None if there is no database, or if it is damaged: opening it reports that.
pub fn look_before_opening<T>(
    data_dir: &Path,
    look: impl FnOnce(&Connection) -> Result<T>,
) -> std::result::Result<Option<T>, OpenError> {
    let path = data_dir.join(FILE_NAME);
    if fs::metadata(&path).map_or(0, |file| file.len()) == 0 {
        return Ok(None);
    }
    let connection = open::unchanged(&path)?;
    let schema = open::recognize_open(&connection, &path)?;
    migrate::expect_supported(&path, schema)?;
    Ok(if schema == 0 { None } else { look(&connection).ok() })
}

/// Rebuilds the database file without unused space, with incremental vacuuming from then on. Requires about twice its
/// size in free space, and that no other connection is open. Returns its size before and after.
#[expect(clippy::disallowed_methods, reason = "a vacuum needs a connection outside a transaction")]
pub fn vacuum(data_dir: &Path) -> std::result::Result<(u64, u64), OpenError> {
    let path = data_dir.join(FILE_NAME);
    let sorted = |error| OpenError::sorted(&path, &error);
    migrate::expect_supported(&path, open::recognize(&path)?)?;
    let length = || fs::metadata(&path).map_or(0, |file| file.len());
    // The new content is written to a temporary file, then to the write-ahead log, then to the file.
    super::space::expect("vacuuming the database", data_dir, length().saturating_mul(2))?;
    let connection = Connection::open(&path).map_err(sorted)?;
    let run = |sql: &str| connection.execute_batch(sql).map_err(sorted);
    run("PRAGMA wal_checkpoint(TRUNCATE)")?;
    let before = length();
    run("PRAGMA auto_vacuum = INCREMENTAL; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")?;
    Ok((before, length()))
}

/// Returns up to `pages` unused pages at the end of the file to the file system. Does nothing in databases without
/// incremental vacuuming.
pub fn release_pages(connection: &Connection, pages: u32) -> rusqlite::Result<()> {
    // Each step of the statement releases one page.
    let mut statement = connection.prepare(&format!("PRAGMA incremental_vacuum({pages})"))?;
    let mut steps = statement.query([])?;
    while steps.next()?.is_some() {}
    Ok(())
}
