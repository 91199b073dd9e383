//! How we reach SQLite, and nothing of what is in it.
//!
//! One thread owns the one connection that writes and commits what waits as a group (`writer`); a pool of read-only
//! connections serves two lanes, one for point reads and a small one for heavy reads, so that a bundle never holds up
//! a lookup. A lock on the data directory keeps a second server out ([`lock`]).

pub mod backup;
mod incarnation;
pub mod lock;
mod migrate;
mod open;
pub mod restore;
mod space;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread::JoinHandle,
};

use rusqlite::{Connection, TransactionBehavior};

pub use incarnation::{Incarnation, POSITION_FILE};
pub use open::OpenError;
pub use writer::{AfterCommit, Watch};

use crate::{
    error::{Error, Result},
    lane::Lane,
};

/// Name of the database file in the data directory.
pub const FILE_NAME: &str = "planroom.db";

/// How the database is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// Threads, and connections, for point reads.
    pub readers: usize,
    /// Threads, and connections, for bundles and exports.
    pub heavy_readers: usize,
    /// The file may not grow beyond this many MiB; 0 leaves the limit to the disk.
    pub max_size_mib: u32,
    /// Tables whose changes somebody must hear of.
    pub watch: Option<Watch>,
}

impl Default for Options {
    fn default() -> Self {
        Self { readers: 2, heavy_readers: 2, max_size_mib: 0, watch: None }
    }
}

/// Which reader threads a read runs on.
#[derive(Debug, Clone, Copy)]
pub enum Weight {
    /// A handful of rows.
    Point,
    /// A whole workspace.
    Heavy,
}

/// The open database.
#[derive(Debug)]
pub struct Db {
    path: PathBuf,
    incarnation: Incarnation,
    position: Arc<incarnation::Position>,
    pool: r2d2::Pool<r2d2_sqlite::SqliteConnectionManager>,
    point: Lane,
    heavy: Lane,
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
        let pool = open::readers(&path, options.readers + options.heavy_readers)?;
        let (point, mut threads) = Lane::start("read", options.readers)?;
        let (heavy, heavy_threads) = Lane::start("read-heavy", options.heavy_readers)?;
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
            point,
            heavy,
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

    /// Runs `work` on a read-only connection, in one snapshot.
    pub async fn read<T, F>(&self, weight: Weight, work: F) -> Result<T>
    where
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        let pool = self.pool.clone();
        let lane = match weight {
            Weight::Point => &self.point,
            Weight::Heavy => &self.heavy,
        };
        lane.run(move || {
            let mut connection = pool.get()?;
            let snapshot = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
            work(&snapshot)
        })
        .await
    }

    /// Runs `work`, which needs no connection but time, among the heavy reads.
    pub async fn heavy_work<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        self.heavy.run(work).await
    }

    /// Runs `work` on the writing connection, in a savepoint of its own, and answers when it is on disk.
    /// What `work` returns beside its answer runs after the commit, on the writer thread.
    pub async fn write<T, F>(&self, work: F) -> Result<T>
    where
        F: FnOnce(&Connection) -> Result<(T, Vec<AfterCommit>)> + Send + 'static,
        T: Send + 'static,
    {
        self.writer.write(work).await
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
        let Self { position, pool, point, heavy, writer, threads, .. } = self;
        match pool.get().map(|connection| incarnation::last_change(&connection)) {
            Ok(Ok(head)) => position.note(head)?,
            // The next start goes by what was noted before.
            Ok(Err(_)) | Err(_) => tracing::warn!("the last change was not noted beside the keys"),
        }
        drop((pool, point, heavy, writer));
        let threads = threads.into_inner().map_err(|_| Error::internal("a thread panicked"))?;
        threads.into_iter().try_for_each(|t| t.join().map_err(|_| Error::internal("a thread panicked")))
    }
}
