//! The one thread that writes.
//!
//! It takes what waits, fairly between users ([`FairQueue`]), runs each job in a savepoint of its own inside one `BEGIN IMMEDIATE`, commits once with
//! `synchronous=FULL`, and only then answers all of them: durable and fast at once. A job that fails rolls back its
//! savepoint alone. When SQLite throws the whole transaction away (a full disk, an I/O error) or the commit fails,
//! every job of the group is answered with a failure, refusals too: they may have read a neighbor's lost write.
//!
//! A large job is a group of its own, and a job that turns out to be large is the last of its group: others wait for at
//! most one of them. A statement on this connection is never interrupted, for an interrupted write makes SQLite roll back
//! the whole group: jobs ask their [`Cancel`] between statements instead, and fail at their own savepoint.

use std::{
    collections::HashSet,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, TransactionBehavior, hooks::Action};
use tokio::sync::oneshot;

use super::requester::Requester;
use crate::{
    cancel::Cancel,
    error::{Error, Result},
    lane::panicked,
    schedule::{FairQueue, Limits},
};

/// Runs on the writer thread when the commit is on disk.
pub type AfterCommit = Box<dyn FnOnce() + Send>;

/// How many jobs may wait, in all and of one user, before callers are refused. The thread runs one job at a time, so
/// there is nothing to limit among the running ones.
const QUEUE: Limits = Limits { waiting: 8_192, waiting_per_key: 1_024, running_per_key: usize::MAX };
/// How many jobs are committed together at the most.
const GROUP: usize = 256;
/// How long a group collects jobs at the most.
const COLLECT: Duration = Duration::from_millis(20);
/// A job that has changed more rows ends its group.
const LARGE: u64 = 1_000;

/// Changed rows that are told one by one; of more it is only told that there were many.
const MOST_CHANGED: usize = 1_000;

/// What a commit has changed or removed in the watched tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed {
    /// These rows, by table and rowid.
    Rows(HashSet<(&'static str, i64)>),
    /// More rows than are listed.
    Many,
}

/// Tables whose changes somebody must hear of, however they come about.
#[derive(Clone)]
pub struct Watch {
    /// Names of the tables.
    pub tables: &'static [&'static str],
    /// Called on the writer thread after each commit in which a row of them was changed or removed, before anything else
    /// that follows the commit. Rows that were added do not count.
    pub told: Arc<dyn Fn(&Changed) + Send + Sync>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("tables", &self.tables).finish_non_exhaustive()
    }
}

/// What the group that is being written has touched of what is watched.
pub(super) struct Touched(Option<(Arc<Mutex<Changed>>, Watch)>);

impl Touched {
    /// Has `connection`, which writes, take note from now on.
    pub(super) fn watch(connection: &Connection, watch: Option<Watch>) -> rusqlite::Result<Self> {
        let Some(watch) = watch else { return Ok(Self(None)) };
        let touched = Arc::new(Mutex::new(Changed::Rows(HashSet::new())));
        let (noted, tables) = (Arc::clone(&touched), watch.tables);
        connection.update_hook(Some(move |action, _: &str, table: &str, row| {
            let table = tables.iter().find(|watched| **watched == table);
            if let (Some(table), true) = (table, action != Action::SQLITE_INSERT) {
                noted.lock().unwrap_or_else(PoisonError::into_inner).add(table, row);
            }
        }))?;
        Ok(Self(Some((touched, watch))))
    }

    /// The group has ended. What a job took back may count too: whoever is told looks again, and finds nothing new.
    fn tell(&self, committed: bool) {
        let Self(Some((touched, watch))) = self else { return };
        let changed = {
            let mut touched = touched.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *touched, Changed::Rows(HashSet::new()))
        };
        if committed && changed != Changed::Rows(HashSet::new()) {
            (watch.told)(&changed);
        }
    }
}

impl Changed {
    fn add(&mut self, table: &'static str, row: i64) {
        if let Self::Rows(rows) = self {
            rows.insert((table, row));
            if rows.len() > MOST_CHANGED {
                *self = Self::Many;
            }
        }
    }
}

/// Why a group was not committed.
#[derive(Debug, Clone)]
enum Lost {
    Full,
    Other(Arc<str>),
}

impl From<rusqlite::Error> for Lost {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::Other(error.to_string().into()),
        }
    }
}

impl From<Lost> for Error {
    fn from(lost: Lost) -> Self {
        match lost {
            Lost::Full => Self::StorageFull,
            Lost::Other(why) => Self::NotCommitted(why),
        }
    }
}

/// What a job leaves behind when it has run: whether its writes stay, and what to do once the group's fate is known.
struct Ran {
    keep: bool,
    full: bool,
    settle: Settle,
}
type Settle = Box<dyn FnOnce(std::result::Result<(), Lost>) -> Vec<AfterCommit>>;
/// Given no connection, a job refuses: its group never began.
type Work = Box<dyn FnOnce(std::result::Result<&Connection, Lost>) -> Ran + Send>;

struct Job {
    work: Work,
    is_large: bool,
}

/// The way to the writer thread. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Arc<FairQueue<Job>>,
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs.close();
    }
}

impl Writer {
    pub(super) fn start(connection: Connection, touched: Touched) -> std::io::Result<(Self, JoinHandle<()>)> {
        let jobs = Arc::new(FairQueue::new(QUEUE));
        let queue = Arc::clone(&jobs);
        let thread =
            std::thread::Builder::new().name("write".into()).spawn(move || run(connection, &queue, &touched))?;
        Ok((Self { jobs }, thread))
    }

    pub(super) async fn write<T, F>(&self, requester: Requester, cancel: Cancel, work: F) -> Result<T>
    where
        F: FnOnce(&Connection, &Cancel) -> Result<(T, Vec<AfterCommit>)> + Send + 'static,
        T: Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let _guard = cancel.on_drop();
        self.jobs.push(requester.key, Job { work: job(work, cancel, Some(reply)), is_large: requester.is_large })?;
        answer.await.map_err(|_| Error::internal("the server is stopping"))?
    }

    pub(super) fn waiting(&self) -> usize {
        self.jobs.waiting()
    }

    /// The same for what nobody waits for. An error means that it will not be done.
    pub(super) fn write_later<F>(&self, work: F) -> Result<()>
    where
        F: FnOnce(&Connection) -> Result<()> + Send + 'static,
    {
        let work = job(move |connection, _: &Cancel| Ok((work(connection)?, Vec::new())), Cancel::never(), None);
        Ok(self.jobs.push(Requester::system().key, Job { work, is_large: false })?)
    }
}

/// Erases the types of one request, in two steps: the job runs in the savepoint, its settlement after the commit.
fn job<T, F>(work: F, cancel: Cancel, reply: Option<oneshot::Sender<Result<T>>>) -> Work
where
    F: FnOnce(&Connection, &Cancel) -> Result<(T, Vec<AfterCommit>)> + Send + 'static,
    T: Send + 'static,
{
    Box::new(move |connection| {
        let result = match (cancel.check(), connection) {
            // The caller went away, or its deadline passed, while the job waited.
            (Err(cancelled), Ok(_)) => Err(cancelled),
            (Ok(()), Ok(connection)) => {
                let ran = catch_unwind(AssertUnwindSafe(|| work(connection, &cancel)));
                ran.unwrap_or_else(|panic| Err(panicked(&*panic)))
            }
            (_, Err(lost)) => Err(lost.into()),
        };
        // The caller is told that a job was stopped. So nothing of it may stay, even if it ended at the last moment.
        let result = result.and_then(|done| cancel.check().map(|()| done));
        let keep = result.is_ok();
        let full = matches!(result, Err(Error::StorageFull));
        let settle: Settle = Box::new(move |committed| {
            let (answer, then) = match (result, committed) {
                (Ok((answer, then)), Ok(())) => (Ok(answer), then),
                (Err(error), Ok(())) => (Err(error), Vec::new()),
                (_, Err(lost)) => (Err(lost.into()), Vec::new()),
            };
            match (reply, answer) {
                (Some(reply), answer) => drop(reply.send(answer)),
                (None, Err(error)) => tracing::warn!(%error, "a write that nobody waits for was not done"),
                (None, Ok(_)) => {}
            }
            then
        });
        Ran { keep, full, settle }
    })
}

fn run(mut connection: Connection, queue: &FairQueue<Job>, touched: &Touched) {
    while let Some((key, first)) = queue.pop() {
        queue.done(&key);
        let mut settlements = Vec::new();
        let outcome = group(&mut connection, first, queue, &mut settlements);
        if let Err(lost) = &outcome {
            tracing::error!(jobs = settlements.len(), ?lost, "a group of writes was not committed");
        }
        survive(|| touched.tell(outcome.is_ok()));
        for settle in settlements {
            let mut after = Vec::new();
            survive(|| after = settle(outcome.clone()));
            for then in after {
                survive(then);
            }
        }
    }
    // All callers are gone. Leave a single file behind.
    if let Err(error) = connection.pragma(None, "wal_checkpoint", "TRUNCATE", |_| Ok(())) {
        tracing::warn!(%error, "the write-ahead log could not be emptied; it will be at the next start");
    }
}

/// Runs what follows a commit. A panic in it must not end the thread: every later write would fail.
fn survive(work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        tracing::error!(error = %panicked(&*panic), "panic after a commit; what was written stays");
    }
}

/// Runs `first` and what waits behind it in one transaction. Each job that ran has left its settlement.
fn group(
    connection: &mut Connection,
    first: Job,
    queue: &FairQueue<Job>,
    settlements: &mut Vec<Settle>,
) -> std::result::Result<(), Lost> {
    let mut transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            let lost = Lost::from(error);
            settlements.push((first.work)(Err(lost.clone())).settle);
            return Err(lost);
        }
    };
    let started = Instant::now();
    let mut next = Some(first);
    while let Some(Job { work, mut is_large }) = next.take() {
        let before = transaction.total_changes();
        let savepoint = match transaction.savepoint() {
            Ok(savepoint) => savepoint,
            Err(error) => {
                let lost = Lost::from(error);
                settlements.push(work(Err(lost.clone())).settle);
                return Err(lost);
            }
        };
        let ran = work(Ok(&savepoint));
        settlements.push(ran.settle);
        // SQLite may have rolled back everything, earlier savepoints too; the next statement would then run alone.
        if savepoint.is_autocommit() {
            return Err(if ran.full { Lost::Full } else { Lost::Other("SQLite rolled the transaction back".into()) });
        }
        if ran.keep {
            savepoint.commit()?;
        } else {
            savepoint.finish()?;
        }
        is_large |= transaction.total_changes().saturating_sub(before) > LARGE;
        if !is_large && settlements.len() < GROUP && started.elapsed() < COLLECT {
            next = queue.pop_if(|job| !job.is_large).map(|(key, job)| {
                queue.done(&key);
                job
            });
        }
    }
    Ok(transaction.commit()?)
}
