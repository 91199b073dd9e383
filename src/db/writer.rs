//! The writer thread, with group commit.
//!
//! It takes waiting jobs, fairly between users ([`FairQueue`]), runs each job in its own savepoint inside one `BEGIN
//! IMMEDIATE`, commits once with `synchronous=FULL`, and only then returns all results. A group of writes is therefore
//! durable at the cost of one commit. A failing job rolls back its own savepoint only. If SQLite rolls back the whole
//! transaction (a full disk, an I/O error) or the commit fails, all jobs of the group fail, including those that
//! returned an error themselves, because they may have read a lost write of another job.
//!
//! A large job forms its own group, and a job that turns out to be large ends its group, so others wait for at most one
//! large job, and a user pauses between large jobs while others write ([`Pacing`]). Statements on this connection are
//! never interrupted, because SQLite rolls back the whole group when a write is interrupted. Instead, jobs check their
//! [`Cancel`] between statements, and fail at their own savepoint.

use std::{
    collections::HashSet,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError, Weak},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior, hooks::Action};
use tokio::sync::oneshot;

use super::{
    pacing::Pacing,
    requester::Requester,
    work::{AfterCommit, Erased, WriteWork, write_work},
};
use crate::{
    blocking::panic_error,
    cancel::Cancel,
    error::{Error, Result},
    metrics::{Counter, Histogram, durations},
    schedule::{FairQueue, QueueKey, QueueLimits},
};

/// Maximum number of waiting jobs, in total and per user. There is no limit on running jobs because the thread runs one
/// at a time.
const QUEUE_LIMITS: QueueLimits = QueueLimits { waiting: 8_192, waiting_per_key: 1_024, running_per_key: usize::MAX };
/// Maximum number of jobs in a group.
const MAX_GROUP: usize = 256;
/// How long the end of the writer waits for readers in other processes.
const LAST_CHECKPOINT_TIMEOUT: Duration = Duration::from_millis(500);
/// Maximum time to collect a group.
const MAX_COLLECT_TIME: Duration = Duration::from_millis(20);
/// A job that has changed more rows than this ends its group.
const LARGE_WRITE: u64 = 1_000;

/// Maximum number of changed rows that are reported individually.
const MAX_REPORTED_ROWS: usize = 1_000;

/// The rows of watched tables that a commit has changed or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed {
    /// These rows, by table and rowid.
    Rows(HashSet<(&'static str, i64)>),
    /// Too many rows to list.
    Many,
}

/// Tables whose changes are reported, regardless of which code makes them.
#[derive(Clone)]
pub struct Watch {
    /// Names of the tables.
    pub tables: &'static [&'static str],
    /// Called on the writer thread after each commit that changed or removed a row of these tables, before any other
    /// callback. Added rows are not reported.
    pub on_change: Arc<dyn Fn(&Changed) + Send + Sync>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("tables", &self.tables).finish_non_exhaustive()
    }
}

/// The watched rows that the current group has changed.
pub(super) struct WatchedChanges(Option<(Arc<Mutex<Changed>>, Watch)>);

impl WatchedChanges {
    /// Installs a hook on the writing `connection`.
    pub(super) fn watch(connection: &Connection, watch: Option<Watch>) -> rusqlite::Result<Self> {
        let Some(watch) = watch else { return Ok(Self(None)) };
        let changes = Arc::new(Mutex::new(Changed::Rows(HashSet::new())));
        let (recorded, tables) = (Arc::clone(&changes), watch.tables);
        connection.update_hook(Some(move |action, _: &str, table: &str, row| {
            let table = tables.iter().find(|watched| **watched == table);
            if let (Some(table), true) = (table, action != Action::SQLITE_INSERT) {
                recorded.lock().unwrap_or_else(PoisonError::into_inner).add(table, row);
            }
        }))?;
        Ok(Self(Some((changes, watch))))
    }

    /// Ends the group and returns its changed rows. These can include rolled back changes of a job; the receiver reads
    /// the rows again, so that does no harm.
    fn report(&self, committed: bool) {
        let Self(Some((changes, watch))) = self else { return };
        let written = {
            let mut changes = changes.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *changes, Changed::Rows(HashSet::new()))
        };
        if committed && written != Changed::Rows(HashSet::new()) {
            (watch.on_change)(&written);
        }
    }
}

impl Changed {
    fn add(&mut self, table: &'static str, row: i64) {
        if let Self::Rows(rows) = self {
            rows.insert((table, row));
            if rows.len() > MAX_REPORTED_ROWS {
                *self = Self::Many;
            }
        }
    }
}

/// Why a group was not committed.
#[derive(Debug, Clone)]
enum GroupFailure {
    Full,
    Other(Arc<str>),
}

impl From<rusqlite::Error> for GroupFailure {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::Other(error.to_string().into()),
        }
    }
}

impl From<GroupFailure> for Error {
    fn from(failure: GroupFailure) -> Self {
        match failure {
            GroupFailure::Full => Self::StorageFull,
            GroupFailure::Other(why) => Self::NotCommitted(why),
        }
    }
}

/// The result of a job: whether its writes stay, and a function to call when the outcome of the group is known.
struct Executed {
    keep: bool,
    full: bool,
    settlement: Settlement,
}
type Settlement = Box<dyn FnOnce(std::result::Result<(), GroupFailure>) -> Vec<AfterCommit>>;
/// A job. Without a connection it fails, because the transaction of its group did not begin.
type Work = Box<dyn FnOnce(std::result::Result<&Connection, GroupFailure>) -> Executed + Send>;

struct Job {
    work: Work,
    is_large: bool,
}

/// The handle of the writer thread, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Arc<FairQueue<Job>>,
    commits: Commits,
}

/// Queues writes of the server itself whose results are not awaited. Does not keep the writer running.
#[derive(Debug, Clone)]
pub struct WriteQueue(Weak<FairQueue<Job>>);

impl WriteQueue {
    /// Queues a job. A failure of the job is logged.
    ///
    /// # Errors
    /// If the server is stopping. The job will not run.
    pub fn push<F>(&self, requester: Requester, work: F) -> Result<()>
    where
        F: FnOnce(&Connection) -> Result<Vec<AfterCommit>> + Send + 'static,
    {
        let queue = self.0.upgrade().ok_or_else(|| Error::internal("the server is stopping"))?;
        let work = write_work(move |connection, _| Ok(((), work(connection)?)));
        queue.push(requester.key, Job { work: job(work, Cancel::never(), None), is_large: requester.is_large })?;
        Ok(())
    }
}

/// The durations of commits, and the jobs in them. Clones share the numbers.
#[derive(Debug, Clone)]
pub struct Commits {
    /// Time of each commit until it is on disk.
    pub durations: Histogram,
    /// Committed jobs.
    pub jobs: Counter,
    /// Groups that could not be committed.
    pub failures: Counter,
}

/// Reads the load of the writer, and does not keep it open.
#[derive(Debug, Clone)]
pub struct WriterMeter {
    jobs: Arc<FairQueue<Job>>,
    /// The commits so far.
    pub commits: Commits,
}

impl WriterMeter {
    /// Number of waiting jobs.
    pub fn waiting(&self) -> usize {
        self.jobs.waiting()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs.close();
    }
}

impl Writer {
    pub(super) fn start(connection: Connection, changes: WatchedChanges) -> std::io::Result<(Self, JoinHandle<()>)> {
        let jobs = Arc::new(FairQueue::new(QUEUE_LIMITS));
        let commits = Commits { durations: durations(), jobs: Counter::default(), failures: Counter::default() };
        let (queue, counts) = (Arc::clone(&jobs), commits.clone());
        let thread = std::thread::Builder::new()
            .name("write".into())
            .spawn(move || run(connection, &queue, &changes, &counts))?;
        Ok((Self { jobs, commits }, thread))
    }

    pub(super) fn meter(&self) -> WriterMeter {
        WriterMeter { jobs: Arc::clone(&self.jobs), commits: self.commits.clone() }
    }

    pub(super) async fn write(&self, requester: Requester, cancel: Cancel, work: WriteWork) -> Result<Erased> {
        let (reply, answer) = oneshot::channel();
        let _guard = cancel.on_drop();
        self.jobs.push(requester.key, Job { work: job(work, cancel, Some(reply)), is_large: requester.is_large })?;
        answer.await.map_err(|_| Error::internal("the server is stopping"))?
    }

    pub(super) fn waiting(&self) -> usize {
        self.jobs.waiting()
    }

    pub(super) fn queue(&self) -> WriteQueue {
        WriteQueue(Arc::downgrade(&self.jobs))
    }
}

/// Runs a request in two steps: the job runs in the savepoint, its settlement after the commit.
fn job(work: WriteWork, cancel: Cancel, reply: Option<oneshot::Sender<Result<Erased>>>) -> Work {
    Box::new(move |connection| {
        let result = match (cancel.check(), connection) {
            // The caller has disconnected, or its deadline has passed, while the job was waiting.
            (Err(cancelled), Ok(_)) => Err(cancelled),
            (Ok(()), Ok(connection)) => {
                let executed = catch_unwind(AssertUnwindSafe(|| work(connection, &cancel)));
                executed.unwrap_or_else(|panic| Err(panic_error(&*panic)))
            }
            (_, Err(failure)) => Err(failure.into()),
        };
        // The caller receives an error for a canceled job, so its writes must not stay even if it finished just in
        // time.
        let result = result.and_then(|done| cancel.check().map(|()| done));
        let keep = result.is_ok();
        let full = matches!(result, Err(Error::StorageFull));
        let settlement: Settlement = Box::new(move |committed| {
            let (answer, then) = match (result, committed) {
                (Ok((answer, then)), Ok(())) => (Ok(answer), then),
                (Err(error), Ok(())) => (Err(error), Vec::new()),
                (_, Err(failure)) => (Err(failure.into()), Vec::new()),
            };
            match (reply, answer) {
                (Some(reply), answer) => drop(reply.send(answer)),
                (None, Err(error)) => tracing::warn!(%error, "a background write failed"),
                (None, Ok(_)) => {}
            }
            then
        });
        Executed { keep, full, settlement }
    })
}

fn run(mut connection: Connection, queue: &FairQueue<Job>, changes: &WatchedChanges, commits: &Commits) {
    let mut pacing = Pacing::default();
    while let Some((key, first)) = queue.pop_when(|key, job| earliest_start(&pacing, key, job)) {
        queue.done(&key);
        let mut settlements = Vec::new();
        let outcome = group(&mut connection, (key, first), queue, &mut pacing, &mut settlements, &commits.durations);
        commits.jobs.inc_by(if outcome.is_ok() { settlements.len() as u64 } else { 0 });
        if let Err(failure) = &outcome {
            commits.failures.inc();
            tracing::error!(jobs = settlements.len(), ?failure, "failed to commit a group of writes");
        }
        catch_panic(|| changes.report(outcome.is_ok()));
        for settlement in settlements {
            let mut after = Vec::new();
            catch_panic(|| after = settlement(outcome.clone()));
            for then in after {
                catch_panic(then);
            }
        }
    }
    // There are no more callers. Leave a single database file, unless another process such as Litestream reads the log.
    let truncate = |()| connection.pragma(None, "wal_checkpoint", "TRUNCATE", |_| Ok(()));
    if let Err(error) = connection.busy_timeout(LAST_CHECKPOINT_TIMEOUT).and_then(truncate) {
        tracing::warn!(%error, "cannot empty the write-ahead log; the next start will do so");
    }
}

fn earliest_start(pacing: &Pacing, key: &QueueKey, job: &Job) -> Option<Instant> {
    if job.is_large { pacing.large_write_start(key, Instant::now()) } else { None }
}

/// Runs a callback after a commit. A panic in it must not end the thread, because all later writes would fail.
fn catch_panic(work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        tracing::error!(error = %panic_error(&*panic), "panic after a commit; the commit is not affected");
    }
}

/// Runs `first` and the jobs waiting behind it in one transaction. Returns a settlement for each job that ran.
fn group(
    connection: &mut Connection,
    (key, first): (QueueKey, Job),
    queue: &FairQueue<Job>,
    pacing: &mut Pacing,
    settlements: &mut Vec<Settlement>,
    commit_times: &Histogram,
) -> std::result::Result<(), GroupFailure> {
    let mut transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            let failure = GroupFailure::from(error);
            settlements.push((first.work)(Err(failure.clone())).settlement);
            return Err(failure);
        }
    };
    let started = Instant::now();
    let mut next = Some((key, first));
    while let Some((key, Job { work, mut is_large })) = next.take() {
        let job_started = Instant::now();
        let before = transaction.total_changes();
        let savepoint = match transaction.savepoint() {
            Ok(savepoint) => savepoint,
            Err(error) => {
                let failure = GroupFailure::from(error);
                settlements.push(work(Err(failure.clone())).settlement);
                return Err(failure);
            }
        };
        let executed = work(Ok(&savepoint));
        settlements.push(executed.settlement);
        // SQLite may have rolled back the whole transaction; the next statement would then run outside of a
        // transaction.
        if savepoint.is_autocommit() {
            return Err(if executed.full {
                GroupFailure::Full
            } else {
                GroupFailure::Other("SQLite rolled back the transaction".into())
            });
        }
        if executed.keep {
            savepoint.commit()?;
        } else {
            savepoint.finish()?;
        }
        is_large |= transaction.total_changes().saturating_sub(before) > LARGE_WRITE;
        if is_large {
            let committed = timed_commit(transaction, commit_times);
            pacing.record_large(key, job_started.elapsed(), Instant::now());
            return Ok(committed?);
        }
        pacing.record(key, Instant::now());
        if settlements.len() < MAX_GROUP && started.elapsed() < MAX_COLLECT_TIME {
            next = queue.pop_if(|key, job| earliest_start(pacing, key, job).is_none(), |job| !job.is_large);
            if let Some((key, _)) = &next {
                queue.done(key);
            }
        }
    }
    Ok(timed_commit(transaction, commit_times)?)
}

fn timed_commit(transaction: Transaction<'_>, times: &Histogram) -> rusqlite::Result<()> {
    let started = Instant::now();
    let committed = transaction.commit();
    times.observe(started.elapsed().as_secs_f64());
    committed
}
