//! Schema migrations. Before an upgrade, the database is copied; each migration runs in a transaction.

use std::{fs, path::Path, time::Instant};

use rusqlite::{Connection, OptionalExtension};

use super::{backup, open::OpenError, space};

mod embedded {
    refinery::embed_migrations!("migrations");
}

/// Migrates the database. Rejects a newer schema, and copies a database with an older one to `backups/` first.
pub(super) fn run(connection: &mut Connection, path: &Path, now: i64) -> Result<(), OpenError> {
    let known = known();
    let found = version(connection).map_err(|error| OpenError::sorted(path, &error))?;
    let named = |reason: String| OpenError::Other { path: path.display().to_string(), reason };
    expect_not_newer(path, found.unwrap_or(0))?;
    let started = Instant::now();
    let upgraded = found.filter(|found| *found < known);
    if let Some(found) = upgraded {
        let size = fs::metadata(path).map(|file| file.len())?;
        let directory = path.parent().unwrap_or(Path::new("."));
        space::expect("the backup before the upgrade", directory, space::for_copy(size))?;
        let copy = path.with_file_name("backups").join(format!("before-v{known}-{now}.db"));
        let mib = size.div_ceil(1 << 20);
        tracing::info!(from = found, to = known, mib, copy = %copy.display(), "upgrading the database after a backup");
        backup::copy_database(connection, &copy)
            .map_err(|error| named(format!("the backup before the upgrade failed: {error}")))?;
        tracing::info!(ms = milliseconds(started), "backed up the database");
    }
    let report = embedded::migrations::runner()
        .run(connection)
        .map_err(|error| named(format!("migration failed: {error}; the database was not changed")))?;
    if upgraded.is_some() {
        for migration in report.applied_migrations() {
            tracing::info!(version = migration.version(), name = migration.name(), "applied migration");
        }
        tracing::info!(version = known, ms = milliseconds(started), "upgraded the database");
    }
    Ok(())
}

/// Rejects a schema that is newer than this binary.
pub(super) fn expect_not_newer(path: &Path, found: i32) -> Result<(), OpenError> {
    let known = known();
    if found > known {
        return Err(OpenError::Newer { path: path.display().to_string(), found, known });
    }
    Ok(())
}

/// The newest schema version that this binary supports.
fn known() -> i32 {
    embedded::migrations::runner().get_migrations().iter().map(refinery::Migration::version).max().unwrap_or(0)
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The schema version. None for an empty file.
fn version(connection: &Connection) -> rusqlite::Result<Option<i32>> {
    let known: Option<String> = connection
        .query_row("SELECT name FROM sqlite_master WHERE name = 'refinery_schema_history'", [], |row| row.get(0))
        .optional()?;
    match known {
        None => Ok(None),
        Some(_) => connection.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0)),
    }
}
