//! Loads the keys of a data directory, and checks that they match its database.

use std::path::Path;

use crate::{
    auth::keys::Keys,
    db::{Db, FILE_NAME, OpenError, restore},
    domain::instance::sealed,
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

/// Loads the keys and creates missing ones. Fails if the database contains values that these keys cannot decrypt.
pub(super) fn load(db: &Db, data_dir: &Path) -> Result<Keys, OpenError> {
    let keys_dir = data_dir.join("keys").display().to_string();
    let failed = |error: Error| OpenError::Other { path: db.path().display().to_string(), reason: error.to_string() };
    let sealed = db.look(sealed::count).map_err(failed)?;
    if sealed.total() > 0 && !Keys::can_unseal(data_dir) {
        return Err(OpenError::MissingKeys { keys: keys_dir, lost: sealed.to_string() });
    }
    let keys = Keys::load(data_dir).map_err(OpenError::data_dir(&data_dir.join("keys")))?;
    let lost = db.look(|conn| sealed::unreadable(conn, &keys)).map_err(failed)?;
    if lost.total() > 0 {
        // If some values can be decrypted, the others are the result of an earlier loss and do not prevent the start.
        if lost == sealed {
            return Err(OpenError::WrongKeys { keys: keys_dir, lost: lost.to_string() });
        }
        tracing::warn!(
            %lost,
            "some values were encrypted with other keys than those in keys/; copy the right keys from a backup, or \
             discard the values with `planroom keys reset`"
        );
    }
    Ok(keys)
}
