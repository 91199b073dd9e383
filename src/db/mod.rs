//! How we reach SQLite, and nothing of what is in it.
//!
//! One thread owns the one connection that writes and commits what waits as a group (`writer`). Read-only connections
//! serve three pools of threads: one for identity look-ups, one for point reads and a small one for heavy reads, so that
//! a bundle never delays a point read, and no read delays finding out who asks. All queues are fair between users. Reads
//! are interrupted when their client has gone or their deadline has passed. A lock on the data directory keeps a second server out ([`lock`]).

pub mod backup;
mod incarnation;
pub mod lock;
mod migrate;
mod open;
mod options;
mod requester;
pub mod restore;
mod space;
pub(crate) mod sql;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread::JoinHandle,
    time::Duration,
};

use rusqlite::{Connection, TransactionBehavior};

pub use incarnation::{Incarnation, POSITION_FILE};
pub use open::OpenError;
pub use options::{FILE_NAME, Options};
pub use requester::Requester;
pub use writer::{AfterCommit, Changed, Watch};

use crate::{
    cancel::Cancel,
    error::{Error, Result},
    lane::Lane,
    schedule,
};

/// Which reader threads a read runs on.
#[derive(Debug, Clone, Copy)]
pub enum Weight {
    /// Finding out who asks.
    Identity,
    /// A handful of rows.
    Point,
    /// A whole workspace.
    Heavy,
}

/// Threads, and connections, for identity look-ups.
const IDENTITY_READERS: usize = 2;
/// SQLite looks whether a read is still wanted after so many steps of its virtual machine: some tens of microseconds.
const STEPS_BETWEEN_CHECKS: i32 = 2_000;

/// The open database.
#[derive(Debug)]
pub struct Db {
    path: PathBuf,
    incarnation: Incarnation,
    position: Arc<incarnation::Position>,
    pool: r2d2::Pool<r2d2_sqlite::SqliteConnectionManager>,
    identity: Lane,
    point: Lane,
    heavy: Lane,
    request_time: Duration,
    writer: writer::Writer,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Db {
    /// Opens the database in `data_dir`, checks it, migrates it (after a copy) and starts the threads.
    /// `now` (Unix milliseconds) names that copy.
    pub fn open(data_dir: &Path, options: &Options, now: i64) -> std::result::Result<Self, OpenError> {
        let path = data_dir.join(FILE_NAME);
        let mut connection = open::writer(&path, options)?;
        migrate::run(&mut connection, &path, now)?;
        let (incarnation, position) = incarnation::enter(&mut connection, data_dir)
            .map_err(|reason| OpenError::Other { path: path.display().to_string(), reason })?;
        let pool = open::readers(&path, IDENTITY_READERS + options.readers + options.heavy_readers)?;
        let (point, mut threads) = Lane::start("read", options.readers)?;
        let (identity, identity_threads) = Lane::start("identity", IDENTITY_READERS)?;
        // One thread is always left for others.
        let per_user = options.heavy_readers.saturating_sub(1);
        let (heavy, heavy_threads) = Lane::start_shared("read-heavy", options.heavy_readers, per_user)?;
        threads.extend(identity_threads);
        let touched = writer::Touched::watch(&connection, options.watch.clone());
        let touched = touched.map_err(|error| OpenError::sorted(&path, &error))?;
        let (writer, writer_thread) = writer::Writer::start(connection, touched)?;
        threads.extend(heavy_threads);
        threads.push(writer_thread);
        Ok(Self {
            path,
            incarnation,
            position: Arc::new(position),
            pool,
            identity,
            point,
            heavy,
            request_time: options.request_time,
            writer,
            threads: Mutex::new(threads),
        })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which history of the database this is; it does not change while the database is open.
    pub fn incarnation(&self) -> &Incarnation {
        &self.incarnation
    }

    /// Notes the id of the last committed change beside the keys.
    pub async fn note_position(&self) -> Result<()> {
        let position = Arc::clone(&self.position);
        // What a reader sees is on disk.
        self.read(Weight::Point, move |conn| Ok(position.note(incarnation::last_change(conn)?)?)).await
    }

    /// Runs `work` on a read-only connection, on this thread: before there are requests.
    pub fn look<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        work(&*self.pool.get()?)
    }

    /// Runs `work` on a read-only connection, in one snapshot, for the server itself.
    pub async fn read<T, F>(&self, weight: Weight, work: F) -> Result<T>
    where
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read_for(Requester::system(), weight, |connection, _| work(connection)).await
    }

    /// Runs `work` on a read-only connection, in one snapshot. Its statements are interrupted when the caller stops
    /// waiting or the deadline passes; loops that use only the CPU have to ask `Cancel` themselves.
    pub async fn read_for<T, F>(&self, requester: Requester, weight: Weight, work: F) -> Result<T>
    where
        F: FnOnce(&Connection, &Cancel) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        let pool = self.pool.clone();
        let lane = match weight {
            Weight::Identity => &self.identity,
            Weight::Point => &self.point,
            Weight::Heavy => &self.heavy,
        };
        let cancel = self.cancel(&requester);
        lane.run_for(requester.key, cancel, move |cancel| {
            let mut connection = pool.get()?;
            let snapshot = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
            // Dropped before the snapshot, whose end must not be interrupted.
            let interruptible = Interruptible::new(&snapshot, cancel)?;
            let answer = work(&snapshot, cancel);
            drop(interruptible);
            answer
        })
        .await
    }

    /// Runs `work`, which needs no connection but time, among the heavy reads, in the turn of the surrounding
    /// [`schedule::scope`].
    pub async fn heavy_work<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        self.heavy.run_for(schedule::current(), Cancel::never(), move |_| work()).await
    }

    /// Runs `work` on the writing connection, in a savepoint of its own, for the server itself; answers when it is on
    /// disk. What `work` returns beside its answer runs after the commit, on the writer thread.
    pub async fn write<T, F>(&self, work: F) -> Result<T>
    where
        F: FnOnce(&Connection) -> Result<(T, Vec<AfterCommit>)> + Send + 'static,
        T: Send + 'static,
    {
        self.write_for(Requester::system(), |connection, _| work(connection)).await
    }

    /// The same for a requester. Nothing interrupts `work`, for SQLite would roll back the writes of others with it:
    /// it has to ask `Cancel` between statements. What a cancelled job has written is taken back.
    pub async fn write_for<T, F>(&self, requester: Requester, work: F) -> Result<T>
    where
        F: FnOnce(&Connection, &Cancel) -> Result<(T, Vec<AfterCommit>)> + Send + 'static,
        T: Send + 'static,
    {
        let cancel = self.cancel(&requester);
        self.writer.write(requester, cancel, work).await
    }

    fn cancel(&self, requester: &Requester) -> Cancel {
        Cancel::after(requester.has_deadline.then_some(self.request_time))
    }

    /// How many writes wait for their turn.
    pub fn waiting_writes(&self) -> usize {
        self.writer.waiting()
    }

    /// Runs `work` on the writing connection some time soon; nobody waits for it. A failure is logged.
    pub fn write_later<F>(&self, work: F)
    where
        F: FnOnce(&Connection) -> Result<()> + Send + 'static,
    {
        if let Err(error) = self.writer.write_later(work) {
            tracing::warn!(%error, "a write that nobody waits for was not done");
        }
    }

    /// Stops the threads after what they have begun, and empties the write-ahead log into the file.
    pub fn close(self) -> Result<()> {
        let Self { position, pool, identity, point, heavy, writer, threads, .. } = self;
        match pool.get().map(|connection| incarnation::last_change(&connection)) {
            Ok(Ok(head)) => position.note(head)?,
            // The next start goes by what was noted before.
            Ok(Err(_)) | Err(_) => tracing::warn!("the last change was not noted beside the keys"),
        }
        drop((pool, identity, point, heavy, writer));
        let threads = threads.into_inner().map_err(|_| Error::internal("a thread panicked"))?;
        threads.into_iter().try_for_each(|t| t.join().map_err(|_| Error::internal("a thread panicked")))
    }
}

/// Has SQLite interrupt the statements on a reading connection once they are not wanted any more, until this is dropped.
struct Interruptible<'c>(&'c Connection);

impl<'c> Interruptible<'c> {
    fn new(connection: &'c Connection, cancel: &Cancel) -> Result<Self> {
        let cancel = cancel.clone();
        connection.progress_handler(STEPS_BETWEEN_CHECKS, Some(move || cancel.is_cancelled()))?;
        Ok(Self(connection))
    }
}

impl Drop for Interruptible<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.0.progress_handler(0, None::<fn() -> bool>) {
            tracing::warn!(%error, "a connection keeps the progress handler of its last read");
        }
    }
}
