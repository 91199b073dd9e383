//! The keys that belong to the database in a data directory, or the reason why it must not be served without them.

use std::path::Path;

use crate::{
    auth::keys::Keys,
    db::{Db, FILE_NAME, OpenError, restore},
    domain::sealed,
    error::Error,
};

/// Refuses a data directory that has keys but no database: usually a disk that is not mounted.
pub(super) fn expect_database(data_dir: &Path) -> Result<(), OpenError> {
    let database = data_dir.join(FILE_NAME);
    let is_missing = std::fs::metadata(&database).map_or(true, |found| found.len() == 0);
    // A restore that was interrupted has moved the database aside.
    if is_missing && (Keys::exist(data_dir) || restore::was_interrupted(data_dir)) {
        return Err(OpenError::MissingDatabase {
            path: database.display().to_string(),
            keys: data_dir.join("keys").display().to_string(),
        });
    }
    Ok(())
}

/// Loads the keys, creating those that are missing. Refuses to do so where the database has values that only the right
/// keys can decrypt.
pub(super) fn load(db: &Db, data_dir: &Path) -> Result<Keys, OpenError> {
    let keys_dir = data_dir.join("keys").display().to_string();
    let failed = |error: Error| OpenError::Other { path: db.path().display().to_string(), reason: error.to_string() };
    let sealed = db.look(sealed::count).map_err(failed)?;
    if sealed.total() > 0 && !Keys::can_unseal(data_dir) {
        return Err(OpenError::MissingKeys { keys: keys_dir, lost: sealed.to_string() });
    }
    let keys = Keys::load(data_dir)?;
    let lost = db.look(|conn| sealed::unreadable(conn, &keys)).map_err(failed)?;
    if lost.total() > 0 {
        // What remains of an earlier loss does not keep the rest from working.
        if lost == sealed {
            return Err(OpenError::WrongKeys { keys: keys_dir, lost: lost.to_string() });
        }
        tracing::warn!(%lost, "sealed with other keys; planroom keys reset discards these values");
    }
    Ok(keys)
}
