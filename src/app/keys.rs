//! Loads the keys of a data directory, and checks that they match its database.

use std::path::Path;

use rusqlite::Connection;

use crate::{
    auth::keys::Keys,
    db::{Db, FILE_NAME, OpenError, inspect, restore},
    domain::instance::sealed::{self, Sealed},
    error::{Error, Result},
};

/// Rejects a data directory with keys but no database, which usually means that a disk is not mounted.
pub(super) fn expect_database(data_dir: &Path) -> std::result::Result<(), OpenError> {
    let database = data_dir.join(FILE_NAME);
    let is_missing = std::fs::metadata(&database).map_or(true, |found| found.len() == 0);
    let keys = data_dir.join("keys");
    if std::fs::metadata(&keys).is_ok_and(|found| !found.is_dir()) {
        return Err(OpenError::data_dir(&keys)(std::io::ErrorKind::NotADirectory.into()));
    }
    // An interrupted restore has moved the database aside.
    if is_missing && (Keys::exist(data_dir) || restore::was_interrupted(data_dir)) {
        return Err(OpenError::MissingDatabase {
            path: database.display().to_string(),
            keys: keys.display().to_string(),
        });
    }
    Ok(())
}

/// Rejects missing, damaged and wrong keys before the database is opened and migrated. Changes nothing.
pub(super) fn expect_keys(data_dir: &Path, now: i64) -> std::result::Result<(), OpenError> {
    let keys = Keys::load_unchanged(data_dir).map_err(OpenError::Keys)?;
    let compared = inspect::look_before_opening(data_dir, |conn| compare(conn, &keys, data_dir, now))?;
    compared.map_or(Ok(()), |compared| compared.map(drop))
}

/// Loads the keys and creates missing ones, except on a standby. Fails if data in the database needs other keys.
pub(super) fn load(db: &Db, data_dir: &Path, now: i64) -> std::result::Result<Keys, OpenError> {
    let keys = Keys::load_unchanged(data_dir).map_err(OpenError::Keys)?;
    let failed = |error: Error| OpenError::Other { path: db.path().display().to_string(), reason: error.to_string() };
    let lost = db.look(|conn| compare(conn, &keys, data_dir, now)).map_err(failed)??;
    if lost.total() > 0 {
        tracing::warn!(
            %lost,
            "some values were encrypted with other keys than those in keys/; copy the right keys from a backup, or \
             discard the values with `planroom keys reset`"
        );
    }
    if db.standby_file().is_some() { Ok(keys) } else { Keys::load(data_dir).map_err(OpenError::Keys) }
}

/// Compares the keys with the data that needs them. Returns the values that only lost keys decrypt, if others can be
/// decrypted: they are the result of an earlier loss and do not prevent the start.
fn compare(
    conn: &Connection,
    keys: &Keys,
    data_dir: &Path,
    now: i64,
) -> Result<std::result::Result<Sealed, OpenError>> {
    let directory = || data_dir.join("keys").display().to_string();
    let all = sealed::count(conn, now)?;
    let lost = all.without_keys_in(data_dir);
    if lost.total() > 0 {
        let missing = lost.key_names();
        return Ok(Err(OpenError::MissingKeys { keys: directory(), missing, lost: lost.to_string() }));
    }
    let lost = sealed::unreadable(conn, keys)?;
    if lost.total() > 0 && lost == (Sealed { share_links: 0, ..all }) {
        return Ok(Err(OpenError::WrongKeys { keys: directory(), lost: lost.to_string() }));
    }
    Ok(Ok(lost))
}
