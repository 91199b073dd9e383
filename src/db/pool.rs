//! The pool of reading connections.

use std::{
    convert::Infallible,
    ops::{Deref, DerefMut},
    path::Path,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    time::Duration,
};

use r2d2::ManageConnection;
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::Connection;

use super::open_error::OpenError;

/// A pool of connections.
pub(super) type Readers = r2d2::Pool<Manager>;

/// Maximum time to wait until all connections are closed.
const MAX_CLOSING: Duration = Duration::from_secs(5);

/// Opens connections.
#[derive(Debug)]
pub(super) struct Manager {
    inner: SqliteConnectionManager,
    open: Sender<Infallible>,
}

/// A connection of the pool. It is closed before the sender is dropped, because fields are dropped in this order.
#[derive(Debug)]
pub(super) struct PooledConnection {
    connection: Connection,
    _open: Sender<Infallible>,
}

/// Waits until a pool and all of its connections are closed: threads of the pool can close connections after the pool is dropped.
#[derive(Debug)]
pub(super) struct Closed(Mutex<Receiver<Infallible>>);

impl Closed {
    /// Waits at most for [`MAX_CLOSING`].
    pub(super) fn wait(self) {
        let receiver = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Nothing is ever sent, so an error tells that all senders are dropped.
        if receiver.recv_timeout(MAX_CLOSING) != Err(RecvTimeoutError::Disconnected) {
            tracing::warn!("a connection to the database is still open");
        }
    }
}

/// Opens a pool of `size` connections.
pub(super) fn build(
    pool: r2d2::Builder<Manager>,
    size: usize,
    inner: SqliteConnectionManager,
    path: &Path,
) -> Result<(Readers, Closed), OpenError> {
    let (open, closed) = mpsc::channel();
    let pool = pool
        .max_size(u32::try_from(size.max(1)).unwrap_or(u32::MAX))
        .test_on_check_out(false)
        .build(Manager { inner, open })
        .map_err(|error| OpenError::Other { path: path.display().to_string(), reason: error.to_string() })?;
    Ok((pool, Closed(Mutex::new(closed))))
}

impl ManageConnection for Manager {
    type Connection = PooledConnection;
    type Error = rusqlite::Error;

    fn connect(&self) -> rusqlite::Result<PooledConnection> {
        Ok(PooledConnection { connection: self.inner.connect()?, _open: self.open.clone() })
    }

    fn is_valid(&self, connection: &mut PooledConnection) -> rusqlite::Result<()> {
        self.inner.is_valid(connection)
    }

    fn has_broken(&self, connection: &mut PooledConnection) -> bool {
        self.inner.has_broken(connection)
    }
}

impl Deref for PooledConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_is_closed_when_its_last_connection_is() {
        let (pool, closed) =
            build(r2d2::Pool::builder(), 2, SqliteConnectionManager::memory(), Path::new("test")).unwrap();
        let connection = pool.get().unwrap();
        drop(pool);
        let waiting = closed.0.lock().unwrap().try_recv();
        assert_eq!(waiting, Err(mpsc::TryRecvError::Empty), "a connection is in use");
        drop(connection);
        let closed = closed.0.into_inner().unwrap().recv();
        assert!(closed.is_err());
    }
}
