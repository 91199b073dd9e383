//! Bringing the schema up to date, each migration in a transaction, after a copy of what was there.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension};

use super::{OpenError, backup};

mod embedded {
    refinery::embed_migrations!("migrations");
}

/// Refuses a database from the future; copies one from the past to `backups/` beside it; migrates.
pub(super) fn run(connection: &mut Connection, path: &Path, now: i64) -> Result<(), OpenError> {
    let runner = embedded::migrations::runner();
    let known = runner.get_migrations().iter().map(refinery::Migration::version).max().unwrap_or(0);
    let found = version(connection).map_err(|error| OpenError::sorted(path, &error))?;
    let named = |reason: String| OpenError::Other { path: path.display().to_string(), reason };
    match found {
        Some(found) if found > known => {
            return Err(OpenError::Newer { path: path.display().to_string(), found, known });
        }
        Some(found) if found < known => {
            let copy = path.with_file_name("backups").join(format!("before-v{known}-{now}.db"));
            backup::copy_database(connection, &copy).map_err(|error| named(error.to_string()))?;
        }
        _ => {}
    }
    runner.run(connection).map_err(|error| named(format!("migration failed: {error}")))?;
    Ok(())
}

/// The schema's version; none for an empty file.
fn version(connection: &Connection) -> rusqlite::Result<Option<i32>> {
    let known: Option<String> = connection
        .query_row("SELECT name FROM sqlite_master WHERE name = 'refinery_schema_history'", [], |row| row.get(0))
        .optional()?;
    match known {
        None => Ok(None),
        Some(_) => connection.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0)),
    }
}
