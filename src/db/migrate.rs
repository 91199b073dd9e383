//! Schema migrations. Before an upgrade, the database is copied; each migration runs in a transaction.

use std::{error::Error as _, fs, path::Path, time::Instant};

use refinery_core::{Migration, Runner, Target};
use rusqlite::Connection;

use super::{backup, definition, open_error::OpenError, schema_32, space};

/// The migration files: name without extension, and content.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../migrations/", $name, ".sql")))),+]
    };
}

/// All migrations. The first ones create the tables by area, later ones change them. Their numbers continue after schema 32,
/// which other migrations created, so that each number stands for one schema.
///
/// `refinery::embed_migrations!` would list them, but its dependencies would be compiled twice: for the macro and for the
/// binary.
const MIGRATIONS: &[(&str, &str)] = files![
    "V33__accounts",
    "V34__organizations",
    "V35__directory",
    "V36__workspaces",
    "V37__map",
    "V38__views",
    "V39__history",
    "V40__comments",
    "V41__drafts",
    "V42__notifications",
    "V43__integrations",
    "V44__instance",
    "V45__sync_runs",
    "V46__stale_sources",
    "V47__not_read",
    "V48__sync_way_back",
];

/// Migrates the database. Rejects schemas that it cannot upgrade, and copies a database with an older one to `backups/` first.
pub(super) fn run(connection: &mut Connection, path: &Path, now: i64) -> Result<(), OpenError> {
    let known = known();
    let found = version(connection).map_err(|error| OpenError::sorted(path, &error))?;
    let named = |reason: String| OpenError::Other { path: path.display().to_string(), reason };
    expect_supported(path, found.unwrap_or(0))?;
    let started = Instant::now();
    let upgraded = found.filter(|found| *found < known);
    if let Some(found) = upgraded {
        let size = fs::metadata(path).map(|file| file.len())?;
        let directory = path.parent().unwrap_or(Path::new("."));
        space::expect("the backup before the upgrade", directory, space::for_upgrade(size))?;
        let copy = path.with_file_name("backups").join(format!("before-v{known}-{now}.db"));
        let mib = size.div_ceil(1 << 20);
        tracing::info!(from = found, to = known, mib, copy = %copy.display(), "upgrading the database after a backup");
        backup::copy_database(connection, &copy)
            .map_err(|error| named(format!("the backup before the upgrade failed: {error}")))?;
        tracing::info!(ms = milliseconds(started), "backed up the database");
    }
    let migrations = migrations();
    let Some(found) = upgraded else {
        return apply(connection, path, &migrations, Target::Latest)
            .map_err(|cause| named(format!("creating its tables failed: {cause}")));
    };
    let mut reached = found;
    if found == schema_32::VERSION {
        tracing::info!("replacing the record of the migrations, and completing logged rows of earlier schemas");
        schema_32::upgrade(connection, &migrations, now).map_err(|error| {
            named(format!("the upgrade from schema 32 failed: {}", OpenError::reason(path, &error)))
        })?;
        reached = schema_32::SAME_AS;
    }
    for migration in migrations.iter().filter(|migration| migration.version() > reached) {
        let (version, name) = (migration.version(), migration.name());
        tracing::info!(version, name, "applying migration");
        apply(connection, path, &migrations, Target::Version(version)).map_err(|cause| {
            named(format!(
                "migration {version} ({name}) failed: {cause}. Earlier migrations remain; the copy from before the upgrade \
                 is in backups/"
            ))
        })?;
    }
    tracing::info!(version = known, ms = milliseconds(started), "upgraded the database");
    Ok(())
}

/// Creates the schema of a version in an empty database.
pub(super) fn create(connection: &mut Connection, version: i32) -> Result<(), String> {
    let version = if version == schema_32::VERSION { schema_32::SAME_AS } else { version };
    apply(connection, Path::new(":memory:"), &migrations(), Target::Version(version))
}

/// Applies the migrations up to `target`, each in a transaction. An error is the cause and what to do.
fn apply(connection: &mut Connection, path: &Path, migrations: &[Migration], target: Target) -> Result<(), String> {
    let applied = Runner::new(migrations).set_target(target).run(connection);
    applied.map(drop).map_err(|error| match error.source().and_then(|source| source.downcast_ref()) {
        Some(cause) => OpenError::reason(path, cause),
        None => error.to_string(),
    })
}

/// Rejects a schema that is newer than this binary, or too old to be upgraded. 0 stands for an empty database.
pub(super) fn expect_supported(path: &Path, found: i32) -> Result<(), OpenError> {
    let known = known();
    if found > known {
        return Err(OpenError::Newer { path: path.display().to_string(), found, known });
    }
    if (1..schema_32::VERSION).contains(&found) {
        let (oldest, revision) = (schema_32::VERSION, schema_32::LAST_REVISION);
        return Err(OpenError::TooOld { path: path.display().to_string(), found, oldest, revision });
    }
    Ok(())
}

/// Whether the database has the newest schema version that this binary supports.
pub(super) fn is_current(connection: &Connection) -> bool {
    version(connection).is_ok_and(|found| found == Some(known()))
}

/// The newest schema version that this binary supports.
pub(super) fn known() -> i32 {
    migrations().iter().map(Migration::version).max().unwrap_or(0)
}

fn migrations() -> Vec<Migration> {
    let migration = |(name, sql): &(&str, &str)| Migration::unapplied(name, sql).expect("a test checks the names");
    MIGRATIONS.iter().map(migration).collect()
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The schema version. None for an empty file.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<Option<i32>> {
    if !definition::has_history(connection)? {
        return Ok(None);
    }
    connection.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_file_is_listed() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
        let mut files: Vec<_> = fs::read_dir(directory)
            .unwrap()
            .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let mut listed: Vec<_> = MIGRATIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
        files.sort();
        listed.sort();
        assert_eq!(listed, files);
        // Numbers may be missing, but none is used twice.
        let numbers: std::collections::BTreeSet<i32> = migrations().iter().map(Migration::version).collect();
        assert_eq!(numbers.len(), files.len());
        assert_eq!(numbers.last().copied(), Some(known()));
    }
}
