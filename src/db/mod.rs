//! Access to SQLite: connections, threads, migrations, backup and restore. It knows nothing about the contents.
//!
//! One thread owns the only writing connection and commits waiting jobs as a group (`writer`). Read-only connections
//! serve three thread pools: for identity lookups, for point reads, and a small one for heavy reads, so that a bundle
//! never delays a point read, and no read delays authentication. Another thread does work without a connection that takes
//! seconds, such as encoding images. All queues are fair between users. Reads are
//! interrupted when their client has disconnected or their deadline has passed. A lock on the data directory prevents a
//! second server ([`lock`]). A [`standby`] reads a copy that another program replaces.

pub mod archive;
pub mod backup;
pub mod checksum;
mod definition;
mod incarnation;
pub mod inspect;
pub mod integrity;
mod interruptible;
mod key_files;
pub mod lock;
mod meter;
mod migrate;
mod open;
mod open_error;
mod options;
mod pacing;
mod pool;
mod requester;
pub mod restore;
mod schema;
mod schema_32;
mod space;
pub(crate) mod sql;
pub mod standby;
mod version;
mod work;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread::JoinHandle,
    time::Duration,
};

use rusqlite::{Connection, TransactionBehavior};

pub use incarnation::{Incarnation, POSITION_FILE};
pub use integrity::{CheckOutcome, Integrity};
pub use meter::DbMeter;
pub use open_error::OpenError;
pub use options::{DbOptions, FILE_NAME};
pub use requester::Requester;
pub use work::{AfterCommit, Erased, typed};
pub use writer::{Changed, Commits, Watch, WriteQueue};

use self::{integrity::IntegrityState, interruptible::Interruptible, work::ReadWork};

use crate::{
    blocking::BlockingPool,
    cancel::Cancel,
    error::{Error, Result},
    schedule::{self, QueueKey, QueueLimits},
};

/// The thread pool for a read.
#[derive(Debug, Clone, Copy)]
pub enum ReadPool {
    /// Authentication.
    Identity,
    /// A few rows.
    Point,
    /// A whole workspace.
    Heavy,
}

/// Threads and connections for identity lookups.
const IDENTITY_READERS: usize = 2;
/// The queue for long work. It is short because each waiting job holds its input, and is repeated if it is rejected.
const LONG_WORK: QueueLimits = QueueLimits { waiting: 64, waiting_per_key: 16, running_per_key: 1 };

/// The open database.
#[derive(Debug)]
pub struct Db {
    path: PathBuf,
    incarnation: Incarnation,
    /// None on a standby.
    position: Option<Arc<incarnation::PositionFile>>,
    /// Device and number of the file.
    file: Option<(u64, u64)>,
    standby: Option<standby::StandbyFile>,
    integrity: Arc<IntegrityState>,
    pool: pool::Readers,
    closed: pool::Closed,
    probe: Arc<version::VersionProbe>,
    identity: BlockingPool,
    point: BlockingPool,
    heavy: BlockingPool,
    long: BlockingPool,
    request_time: Duration,
    writer: writer::Writer,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// An empty database with the current schema, for tests of queries.
#[cfg(test)]
pub(crate) fn empty_in_memory() -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate::create(&mut connection, migrate::known()).unwrap();
    connection
}

impl Db {
    /// Opens the database in `data_dir`, checks it, migrates it (after a backup) and starts the threads.
    /// `now` (Unix milliseconds) is part of the name of the backup.
    pub fn open(data_dir: &Path, options: &DbOptions, now: i64) -> std::result::Result<Self, OpenError> {
        let path = data_dir.join(FILE_NAME);
        space::expect_temporary_files()?;
        let (mut connection, mut soundness) = open::writer(&path, options)?;
        let is_postponed = options.postpones_check && migrate::is_current(&connection);
        if options.postpones_check && !is_postponed {
            // An upgrade changes much of the file.
            soundness = open::check(&connection, &path)?;
        }
        schema::expect_upgradable(&connection, &path)?;
        migrate::run(&mut connection, &path, now)?;
        if soundness == open::Soundness::DamagedSearchIndex {
            tracing::warn!("the search index is damaged and is filled again");
            connection
                .execute("UPDATE search_state SET version = 0", [])
                .map_err(|error| OpenError::sorted(&path, &error))?;
        }
        let (incarnation, position) = incarnation::enter(&mut connection, data_dir)?;
        let pool = open::readers(&path, connections(options))?;
        let integrity = if is_postponed { Integrity::Unknown } else { Integrity::Sound };
        Self::start(path, (incarnation, Some(position)), (connection, pool), (None, integrity), options)
    }

    /// Opens the copy of a database in `data_dir` for a standby, which writes nothing.
    pub fn open_standby(data_dir: &Path, options: &DbOptions) -> std::result::Result<Self, OpenError> {
        let opened = standby::open(data_dir, connections(options))?;
        let standby::Opened { file, incarnation, connection, pool } = opened;
        let file = (Some(file), Integrity::Unknown);
        Self::start(data_dir.join(FILE_NAME), (incarnation, None), (connection, pool), file, options)
    }

    /// What is known about the integrity of the file.
    pub fn integrity(&self) -> Integrity {
        self.integrity.get()
    }

    /// Checks the file if the start has postponed that. Returns None if there is nothing to check.
    pub async fn finish_check(&self) -> Result<Option<CheckOutcome>> {
        if self.integrity() != Integrity::Unknown {
            return Ok(None);
        }
        let (state, path) = (Arc::clone(&self.integrity), self.path.clone());
        self.read(ReadPool::Heavy, move |connection| state.check(connection, &path).map(Some)).await
    }

    /// Records that the file of a standby was replaced by one that cannot be opened.
    pub fn set_outdated(&self) {
        if let Some(standby) = &self.standby {
            standby.set_outdated();
        }
    }

    /// The state of the file that a standby has opened.
    pub fn standby_file(&self) -> Option<standby::FileState> {
        self.standby.as_ref().map(|standby| standby.state)
    }

    /// Starts the threads.
    fn start(
        path: PathBuf,
        (incarnation, position): (Incarnation, Option<incarnation::PositionFile>),
        (connection, (pool, closed)): (Connection, (pool::Readers, pool::Closed)),
        (standby, integrity): (Option<standby::StandbyFile>, Integrity),
        options: &DbOptions,
    ) -> std::result::Result<Self, OpenError> {
        let (point, point_thread) = BlockingPool::start("read", options.readers)?;
        let (identity, identity_thread) = BlockingPool::start("identity", IDENTITY_READERS)?;
        // One user can occupy all threads but one.
        let per_user = options.heavy_readers.saturating_sub(1);
        let (heavy, heavy_thread) = BlockingPool::start_shared("read-heavy", options.heavy_readers, per_user)?;
        let (long, long_thread) = BlockingPool::start_limited("long-work", 1, LONG_WORK)?;
        let changes = writer::WatchedChanges::watch(&connection, options.watch.clone());
        let changes = changes.map_err(|error| OpenError::sorted(&path, &error))?;
        let (writer, writer_thread) = writer::Writer::start(connection, changes)?;
        let threads = vec![point_thread, identity_thread, heavy_thread, long_thread, writer_thread];
        Ok(Self {
            file: open::file_identity(&path),
            path,
            incarnation,
            position: position.map(Arc::new),
            standby,
            integrity: Arc::new(IntegrityState::new(integrity)),
            probe: Arc::default(),
            pool,
            closed,
            identity,
            point,
            heavy,
            long,
            request_time: options.request_time,
            writer,
            threads: Mutex::new(threads),
        })
    }

    /// Path of the database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The incarnation, which does not change while the database is open.
    pub fn incarnation(&self) -> &Incarnation {
        &self.incarnation
    }

    /// Records the id of the last committed change in the directory of the keys.
    pub async fn note_position(&self) -> Result<()> {
        let Some(position) = self.position.clone() else { return Ok(()) };
        // Readers see only changes that are on disk.
        self.read(ReadPool::Point, move |conn| Ok(position.note(incarnation::last_change(conn)?)?)).await
    }

    /// A number that changes with every commit, by this process or another one. None if it is unknown at the moment.
    pub fn version(&self) -> Option<i64> {
        self.probe.read()
    }

    /// Runs `work` on a read-only connection on the current thread, for use before the server accepts requests.
    pub fn look<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        work(&*self.pool.get()?)
    }

    /// Runs `work` on a read-only connection in one snapshot, for the server itself.
    pub async fn read<T, F>(&self, pool: ReadPool, work: F) -> Result<T>
    where
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read_for(Requester::system(), pool, |connection, _| work(connection)).await
    }

    /// Runs `work` on a read-only connection in one snapshot. Its statements are interrupted when the caller drops the
    /// future or the deadline passes; loops that use only the CPU must check `Cancel` themselves.
    pub async fn read_for<T, F>(&self, requester: Requester, pool: ReadPool, work: F) -> Result<T>
    where
        F: FnOnce(&Connection, &Cancel) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        work::typed(self.run_read(requester, pool, work::read_work(work)).await?)
    }

    async fn run_read(&self, requester: Requester, pool: ReadPool, work: ReadWork) -> Result<Erased> {
        let (connections, probe) = (self.pool.clone(), Arc::clone(&self.probe));
        let threads = match pool {
            ReadPool::Identity => &self.identity,
            ReadPool::Point => &self.point,
            ReadPool::Heavy => &self.heavy,
        };
        let cancel = self.cancel(&requester);
        threads
            .run_for(requester.key, cancel, move |cancel| {
                let mut connection = connections.get()?;
                let snapshot = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
                // Dropped before the snapshot, because the end of the transaction must not be interrupted.
                let interruptible = Interruptible::new(&snapshot, cancel)?;
                let answer = work(&snapshot, cancel);
                drop(interruptible);
                // Not at the start, which it would delay.
                probe.open(&connections);
                answer
            })
            .await
    }

    /// Runs CPU-intensive `work` without a connection on the threads for heavy reads, in the queue of the current
    /// [`schedule::scope`].
    pub async fn heavy_work<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        self.heavy.run_for(schedule::current(), Cancel::never(), move |_| work()).await
    }

    /// Like [`Db::heavy_work`], for work that takes seconds. It must check `Cancel` often.
    pub async fn heavy_work_until<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (key, cancel) = self.current();
        self.heavy.run_for(key, cancel, work).await
    }

    /// Like [`Db::heavy_work_until`], on a separate thread that runs one job at a time.
    pub async fn long_work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (key, cancel) = self.current();
        self.long.run_for(key, cancel, work).await
    }

    /// Runs `work` on the writing connection in its own savepoint, for the server itself. Returns when the commit is on
    /// disk. The callback that `work` returns next to its result runs after the commit on the writer thread.
    pub async fn write<T, F>(&self, work: F) -> Result<T>
    where
        F: FnOnce(&Connection) -> Result<(T, Vec<AfterCommit>)> + Send + 'static,
        T: Send + 'static,
    {
        self.write_for(Requester::system(), |connection, _| work(connection)).await
    }

    /// Like [`Db::write`], for a requester. `work` is never interrupted, because SQLite would also roll back the writes
    /// of other jobs: it must check `Cancel` between statements. The writes of a canceled job are rolled back.
    pub async fn write_for<T, F>(&self, requester: Requester, work: F) -> Result<T>
    where
        F: FnOnce(&Connection, &Cancel) -> Result<(T, Vec<AfterCommit>)> + Send + 'static,
        T: Send + 'static,
    {
        let cancel = self.cancel(&requester);
        work::typed(self.writer.write(requester, cancel, work::write_work(work)).await?)
    }

    /// The current queue and the deadline of its requests. Jobs of the server itself have no deadline.
    fn current(&self) -> (QueueKey, Cancel) {
        let key = schedule::current();
        let cancel = Cancel::after((key != QueueKey::System).then_some(self.request_time));
        (key, cancel)
    }

    fn cancel(&self, requester: &Requester) -> Cancel {
        Cancel::after(requester.has_deadline.then_some(self.request_time))
    }

    /// Whether the file is still the one that was opened. If it was deleted or replaced, writes go to a file that no
    /// longer has a name and are lost when the server stops.
    ///
    /// A standby opens the new file instead, so there it is false only if that failed.
    pub fn is_in_place(&self) -> bool {
        self.standby
            .as_ref()
            .map_or_else(|| open::file_identity(&self.path) == self.file, |standby| !standby.is_outdated())
    }

    /// Reads the load and the size.
    pub fn meter(&self) -> DbMeter {
        let pools = [&self.identity, &self.point, &self.heavy, &self.long].map(BlockingPool::meter).into();
        let standby_written_at = self.standby.as_ref().map(standby::StandbyFile::written_at);
        DbMeter { path: self.path.clone(), pools, writer: self.writer.meter(), standby_written_at }
    }

    /// Number of waiting writes.
    pub fn waiting_writes(&self) -> usize {
        self.writer.waiting()
    }

    /// Queues `work` for the writing connection without waiting for it. Failures are logged.
    pub fn write_later<F>(&self, work: F)
    where
        F: FnOnce(&Connection) -> Result<()> + Send + 'static,
    {
        if let Err(error) =
            self.write_queue().push(Requester::system(), move |connection| work(connection).map(|()| Vec::new()))
        {
            tracing::warn!(%error, "a background write was rejected");
        }
    }

    /// The queue for writes of the server itself whose results are not awaited.
    pub fn write_queue(&self) -> WriteQueue {
        self.writer.queue()
    }

    /// Finishes running jobs, stops the threads, and merges the write-ahead log into the database file.
    pub fn close(self) -> Result<()> {
        let Self { position, pool, closed, probe, identity, point, heavy, long, writer, threads, .. } = self;
        if let Some(position) = position {
            match pool.get().map(|connection| incarnation::last_change(&connection)) {
                Ok(Ok(head)) => position.note(head)?,
                // The next start uses the previously recorded position.
                Ok(Err(_)) | Err(_) => tracing::warn!(
                    "cannot record the last change in the directory of the keys; the next start uses the previous record"
                ),
            }
        }
        drop((pool, probe, identity, point, heavy, long, writer));
        let threads = threads.into_inner().map_err(|_| Error::internal("a thread panicked"))?;
        let ended = threads.into_iter().try_for_each(|t| t.join().map_err(|_| Error::internal("a thread panicked")));
        closed.wait();
        ended
    }
}

/// Number of reading connections.
fn connections(options: &DbOptions) -> usize {
    // One for the probe.
    1 + IDENTITY_READERS + options.readers + options.heavy_readers
}
