//! Loads the keys of a data directory, and checks that they match its database.

use std::path::Path;

use crate::{
    auth::keys::Keys,
    db::{Db, FILE_NAME, OpenError, inspect, restore},
    domain::instance::sealed::{self, KeyCheck, Sealed},
    error::Error,
};

/// Rejects a data directory with keys but no database, which usually means that a disk is not mounted.
pub(super) fn expect_database(data_dir: &Path) -> Result<(), OpenError> {
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
pub(super) fn expect_keys(data_dir: &Path, now: i64) -> Result<(), OpenError> {
    let keys = Keys::load_unchanged(data_dir).map_err(OpenError::Keys)?;
    let check = inspect::look_before_opening(data_dir, |conn| sealed::check(conn, data_dir, &keys, now))?;
    check.map_or(Ok(()), |check| accept(check, data_dir).map(drop))
}

/// Loads the keys and creates missing ones, except on a standby. Fails if data in the database needs other keys.
pub(super) fn load(db: &Db, data_dir: &Path, now: i64) -> Result<Keys, OpenError> {
    let keys = Keys::load_unchanged(data_dir).map_err(OpenError::Keys)?;
    let failed = |error: Error| OpenError::Other { path: db.path().display().to_string(), reason: error.to_string() };
    let check = db.look(|conn| sealed::check(conn, data_dir, &keys, now)).map_err(failed)?;
    let lost = accept(check, data_dir)?;
    if lost.total() > 0 {
        tracing::warn!(
            %lost,
            "some values were encrypted with other keys than those in keys/; copy the right keys from a backup, or \
             discard the values with `planroom keys reset`"
        );
    }
    if db.standby_file().is_some() { Ok(keys) } else { Keys::load(data_dir).map_err(OpenError::Keys) }
}

/// The error for keys with which the server must not start. Otherwise, the values that cannot be decrypted.
fn accept(check: KeyCheck, data_dir: &Path) -> Result<Sealed, OpenError> {
    let keys = data_dir.join("keys").display().to_string();
    match check {
        KeyCheck::Missing(lost) => {
            Err(OpenError::MissingKeys { keys, missing: lost.key_names(), lost: lost.to_string() })
        }
        KeyCheck::Wrong(lost) => Err(OpenError::WrongKeys { keys, lost: lost.to_string() }),
        KeyCheck::Usable(lost) => Ok(lost),
    }
}
