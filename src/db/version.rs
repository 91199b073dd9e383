//! Detects commits, whichever process makes them.

use std::{
    fmt,
    sync::{Mutex, OnceLock, PoisonError},
    time::Duration,
};

use super::pool::{Manager, Readers};

/// A connection that does nothing but ask SQLite whether the database has changed, which takes a few microseconds.
#[derive(Default)]
pub(super) struct VersionProbe(OnceLock<Mutex<r2d2::PooledConnection<Manager>>>);

impl fmt::Debug for VersionProbe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VersionProbe").finish_non_exhaustive()
    }
}

impl VersionProbe {
    /// Takes a connection of the pool, unless it has one. Blocks while the connection is opened.
    pub(super) fn open(&self, pool: &Readers) {
        if self.0.get().is_some() {
            return;
        }
        let Ok(connection) = pool.get() else { return };
        // It is used on asynchronous threads, which must not wait for a lock.
        if connection.busy_timeout(Duration::ZERO).is_ok() {
            // If another thread was faster, its connection stays.
            let _ = self.0.set(Mutex::new(connection));
        }
    }

    /// A number that changes with every commit. None if it is unknown at the moment.
    pub(super) fn read(&self) -> Option<i64> {
        let connection = self.0.get()?.lock().unwrap_or_else(PoisonError::into_inner);
        // "The integer values returned by two invocations from the same connection will be different if changes were
        // committed to the database by any other connection in the interim." This connection commits nothing.
        let mut statement = connection.prepare_cached("PRAGMA data_version").ok()?;
        statement.query_row([], |row| row.get(0)).ok()
    }
}
