//! The one thread that writes.
//!
//! It takes what waits, runs each job in a savepoint of its own inside one `BEGIN IMMEDIATE`, commits once with
//! `synchronous=FULL`, and only then answers all of them: durable and fast at once. A job that fails rolls back its
//! savepoint alone. When SQLite throws the whole transaction away (a full disk, an I/O error) or the commit fails,
//! every job of the group is answered with a failure, refusals too: they may have read a neighbour's lost write.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use rusqlite::{Connection, ErrorCode, TransactionBehavior, hooks::Action};
use tokio::sync::oneshot;

use crate::{
    error::{Error, Result},
    lane::panicked,
};

/// Runs on the writer thread when the commit is on disk.
pub type AfterCommit = Box<dyn FnOnce() + Send>;

/// How many jobs may wait before callers are told that the server is busy.
const QUEUE: usize = 4_096;
/// How many jobs are committed together at the most.
const GROUP: usize = 256;
/// How long a group collects jobs at the most.
const COLLECT: Duration = Duration::from_millis(20);

/// Tables whose changes somebody must hear of, however they come about.
#[derive(Clone)]
pub struct Watch {
    /// Names of the tables.
    pub tables: &'static [&'static str],
    /// Called on the writer thread after each commit in which a row of them was changed or removed, before anything else
    /// that follows the commit. Rows that were added do not count.
    pub told: Arc<dyn Fn() + Send + Sync>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("tables", &self.tables).finish_non_exhaustive()
    }
}

/// Whether the group that is being written has touched what is watched.
pub(super) struct Touched(Option<(Arc<AtomicBool>, Watch)>);

impl Touched {
    /// Has `connection`, which writes, take note from now on.
    pub(super) fn watch(connection: &Connection, watch: Option<Watch>) -> rusqlite::Result<Self> {
        let Some(watch) = watch else { return Ok(Self(None)) };
        let touched = Arc::new(AtomicBool::new(false));
        let (noted, tables) = (Arc::clone(&touched), watch.tables);
        connection.update_hook(Some(move |action, _: &str, table: &str, _| {
            if action != Action::SQLITE_INSERT && tables.contains(&table) {
                noted.swap(true, Ordering::Relaxed);
            }
        }))?;
        Ok(Self(Some((touched, watch))))
    }

    /// The group has ended. What a job took back may count too; whoever is told looks again, and finds nothing new.
    fn tell(&self, committed: bool) {
        if let Self(Some((touched, watch))) = self
            && touched.swap(false, Ordering::Relaxed)
            && committed
        {
            (watch.told)();
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
type Job = Box<dyn FnOnce(std::result::Result<&Connection, Lost>) -> Ran + Send>;

/// The way to the writer thread. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Sender<Job>,
}

impl Writer {
    pub(super) fn start(connection: Connection, touched: Touched) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (jobs, queue) = bounded(QUEUE);
        let thread =
            std::thread::Builder::new().name("write".into()).spawn(move || run(connection, &queue, &touched))?;
        Ok((Self { jobs }, thread))
    }

    pub(super) async fn write<T, F>(&self, work: F) -> Result<T>
    where
        F: FnOnce(&Connection) -> Result<(T, Vec<AfterCommit>)> + Send + 'static,
        T: Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        self.send(job(work, Some(reply)))?;
        answer.await.map_err(|_| Error::internal("the server is stopping"))?
    }

    /// The same for what nobody waits for. An error means that it will not be done.
    pub(super) fn write_later<F>(&self, work: F) -> Result<()>
    where
        F: FnOnce(&Connection) -> Result<()> + Send + 'static,
    {
        self.send(job(move |connection| Ok((work(connection)?, Vec::new())), None))
    }

    fn send(&self, job: Job) -> Result<()> {
        self.jobs.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(_) => Error::Busy,
            TrySendError::Disconnected(_) => Error::internal("the server is stopping"),
        })
    }
}

/// Erases the types of one request, in two steps: the job runs in the savepoint, its settlement after the commit.
fn job<T, F>(work: F, reply: Option<oneshot::Sender<Result<T>>>) -> Job
where
    F: FnOnce(&Connection) -> Result<(T, Vec<AfterCommit>)> + Send + 'static,
    T: Send + 'static,
{
    Box::new(move |connection| {
        let is_gone = || reply.as_ref().is_some_and(oneshot::Sender::is_closed);
        if is_gone() {
            return Ran { keep: false, full: false, settle: Box::new(|_| Vec::new()) }; // whoever asked has gone away
        }
        let result = match connection {
            Ok(connection) => {
                catch_unwind(AssertUnwindSafe(|| work(connection))).unwrap_or_else(|panic| Err(panicked(&*panic)))
            }
            Err(lost) => Err(lost.into()),
        };
        // Who has given up in the meantime was told so: what they asked for must not be done behind their back.
        let keep = result.is_ok() && !is_gone();
        let full = matches!(result, Err(Error::StorageFull));
        let settle: Settle = Box::new(move |committed| {
            let (answer, then) = match (result, committed) {
                // What was taken back is followed by nothing.
                (Ok((answer, then)), Ok(())) => (Ok(answer), if keep { then } else { Vec::new() }),
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

fn run(mut connection: Connection, queue: &Receiver<Job>, touched: &Touched) {
    while let Ok(first) = queue.recv() {
        let mut settlements = Vec::new();
        let outcome = group(&mut connection, first, queue, &mut settlements);
        if let Err(lost) = &outcome {
            tracing::error!(jobs = settlements.len(), ?lost, "a group of writes was not committed");
        }
        touched.tell(outcome.is_ok());
        for settle in settlements {
            for then in settle(outcome.clone()) {
                then();
            }
        }
    }
    // Nobody is left to ask: leave one file behind.
    if let Err(error) = connection.pragma(None, "wal_checkpoint", "TRUNCATE", |_| Ok(())) {
        tracing::warn!(%error, "the write-ahead log could not be emptied; it will be at the next start");
    }
}

/// Runs `first` and what waits behind it in one transaction. Each job that ran has left its settlement.
fn group(
    connection: &mut Connection,
    first: Job,
    queue: &Receiver<Job>,
    settlements: &mut Vec<Settle>,
) -> std::result::Result<(), Lost> {
    let mut transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            let lost = Lost::from(error);
            settlements.push(first(Err(lost.clone())).settle);
            return Err(lost);
        }
    };
    let started = Instant::now();
    let mut next = Some(first);
    while let Some(job) = next.take() {
        let savepoint = match transaction.savepoint() {
            Ok(savepoint) => savepoint,
            Err(error) => {
                let lost = Lost::from(error);
                settlements.push(job(Err(lost.clone())).settle);
                return Err(lost);
            }
        };
        let ran = job(Ok(&savepoint));
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
        if settlements.len() < GROUP && started.elapsed() < COLLECT {
            next = queue.try_recv().ok();
        }
    }
    Ok(transaction.commit()?)
}
