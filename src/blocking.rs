//! Blocking thread pools with fair, bounded queues.
//!
//! Asynchronous threads never wait for a disk or a password hash. Measured: for point reads, dedicated threads are
//! about 1.6 times as fast as a general blocking pool, and a separate pool for heavy reads keeps small ones fast.
//!
//! A pool starts with one thread, and starts more when jobs would wait for busy threads. Measured: with all threads from the
//! beginning, the server started 3 ms later and took 1 MB more when idle.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread::JoinHandle,
};

use tokio::sync::oneshot;

use crate::{
    cancel::Cancel,
    error::{Error, Result},
    schedule::{self, FairQueue, QueueKey, QueueLimits},
};

type Job = Box<dyn FnOnce() + Send>;

/// Maximum number of waiting jobs of a pool. Further ones are rejected with [`Error::Busy`].
const MAX_WAITING: usize = 2_048;
/// Maximum number of waiting jobs of one user. Further ones are rejected with [`Error::TooManyRequests`].
const MAX_WAITING_PER_KEY: usize = 256;

/// A limited number of threads that take jobs from one fair queue. Clones share it; the threads end with the last clone.
#[derive(Debug, Clone)]
pub struct BlockingPool(Arc<CloseOnDrop>);

#[derive(Debug)]
struct CloseOnDrop {
    meter: PoolMeter,
    /// The threads after the first one.
    further: Further,
}

type Further = Arc<Mutex<Vec<JoinHandle<()>>>>;

impl CloseOnDrop {
    /// Starts another thread, unless all are started. Without it, jobs wait for the threads that exist.
    fn grow(&self) {
        let PoolMeter { name, threads, queue, .. } = &self.meter;
        let mut further = self.further.lock().unwrap_or_else(PoisonError::into_inner);
        if further.len() + 1 >= *threads {
            return;
        }
        let queue = Arc::clone(queue);
        match spawn(name, move || run_jobs(&queue)) {
            Ok(handle) => further.push(handle),
            Err(error) => tracing::warn!(%error, name, "cannot start another thread"),
        }
    }
}

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.meter.queue.close();
    }
}

/// Reads the load of a pool, and does not keep it open.
#[derive(Debug, Clone)]
pub struct PoolMeter {
    /// Name of the threads.
    pub name: String,
    /// Maximum number of threads.
    pub threads: usize,
    stopped: Arc<AtomicU64>,
    queue: Arc<FairQueue<Job>>,
}

impl PoolMeter {
    /// Number of running jobs.
    pub fn running(&self) -> usize {
        self.queue.running()
    }

    /// Total number of jobs that were stopped because the caller disconnected or the deadline passed.
    pub fn stopped(&self) -> u64 {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Number of waiting jobs.
    pub fn waiting(&self) -> usize {
        self.queue.waiting()
    }
}

impl BlockingPool {
    /// Starts a pool of up to `threads` threads named `name`. Join the handle after the last clone is dropped.
    pub fn start(name: &str, threads: usize) -> std::io::Result<(Self, JoinHandle<()>)> {
        Self::start_shared(name, threads, usize::MAX)
    }

    /// Like [`BlockingPool::start`], but one user can occupy at most `per_key` threads at a time.
    pub fn start_shared(name: &str, threads: usize, per_key: usize) -> std::io::Result<(Self, JoinHandle<()>)> {
        let limits =
            QueueLimits { waiting: MAX_WAITING, waiting_per_key: MAX_WAITING_PER_KEY, running_per_key: per_key.max(1) };
        Self::start_limited(name, threads, limits)
    }

    /// Like [`BlockingPool::start`], with these limits of the queue.
    pub fn start_limited(name: &str, threads: usize, limits: QueueLimits) -> std::io::Result<(Self, JoinHandle<()>)> {
        let queue = Arc::new(FairQueue::<Job>::new(limits));
        let (pool_name, threads) = (name.to_owned(), threads.max(1));
        let meter = PoolMeter { name: pool_name, threads, stopped: Arc::default(), queue: Arc::clone(&queue) };
        let further = Further::default();
        let others = Arc::clone(&further);
        let first = spawn(name, move || {
            run_jobs(&queue);
            // The queue is closed, so no other thread is started.
            for other in others.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
                drop(other.join());
            }
        })?;
        Ok((Self(Arc::new(CloseOnDrop { meter, further })), first))
    }

    /// Reads the load of this pool.
    pub fn meter(&self) -> PoolMeter {
        self.0.meter.clone()
    }

    /// Runs `work` on one of the threads, in the queue of the current [`schedule::scope`]. A panic in it is an internal
    /// error for this caller and does not affect others.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        self.run_for(schedule::current(), Cancel::never(), move |_| work()).await
    }

    /// Runs `work` on one of the threads, in the queue of `key`. `cancel` is set when the caller drops the future.
    pub async fn run_for<T: Send + 'static>(
        &self,
        key: QueueKey,
        cancel: Cancel,
        work: impl FnOnce(&Cancel) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        let _guard = cancel.on_drop();
        let stopped = Arc::clone(&self.0.meter.stopped);
        let job: Job = Box::new(move || {
            // The caller may have stopped waiting while the job was queued.
            let result = match cancel.check() {
                Ok(()) => {
                    catch_unwind(AssertUnwindSafe(|| work(&cancel))).unwrap_or_else(|panic| Err(panic_error(&*panic)))
                }
                Err(cancelled) => Err(cancelled),
            };
            if matches!(result, Err(Error::Cancelled)) {
                stopped.fetch_add(1, Ordering::Relaxed);
            }
            drop(reply.send(result));
        });
        if self.0.meter.queue.push(key, job)? {
            self.0.grow();
        }
        answer.await.map_err(|_| Error::internal("the server is stopping"))?
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work)
}

/// Runs jobs until the queue is closed and empty.
fn run_jobs(queue: &FairQueue<Job>) {
    while let Some((key, job)) = queue.pop() {
        job();
        queue.done(&key);
    }
}

/// The error for a caught panic.
pub(crate) fn panic_error(panic: &(dyn std::any::Any + Send)) -> Error {
    let text = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".into());
    Error::Internal(format!("panic: {text}"))
}

#[cfg(test)]
mod tests {
    use std::sync::{Barrier, mpsc};

    use super::*;

    #[tokio::test]
    async fn another_users_job_runs_next_while_one_user_keeps_a_pool_busy() {
        let (pool, _thread) = BlockingPool::start("test", 1).unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let (release, gate) = mpsc::channel::<()>();
        let (started, running) = oneshot::channel();
        let mut jobs = vec![tokio::spawn({
            let (pool, order) = (pool.clone(), Arc::clone(&order));
            async move {
                let work = move |_: &Cancel| {
                    started.send(()).unwrap();
                    gate.recv().unwrap();
                    order.lock().unwrap().push("first of Ann");
                    Ok(())
                };
                pool.run_for(QueueKey::User(1), Cancel::never(), work).await
            }
        })];
        running.await.unwrap();
        let users = [(1, "second of Ann"), (1, "third of Ann"), (2, "of Bob")];
        for (waiting, (user, name)) in users.into_iter().enumerate() {
            let (pool, order) = (pool.clone(), Arc::clone(&order));
            let queue = pool.meter();
            jobs.push(tokio::spawn(async move {
                let work = move |_: &Cancel| {
                    order.lock().unwrap().push(name);
                    Ok(())
                };
                pool.run_for(QueueKey::User(user), Cancel::never(), work).await
            }));
            while queue.waiting() <= waiting {
                tokio::task::yield_now().await;
            }
        }
        release.send(()).unwrap();
        for job in jobs {
            job.await.unwrap().unwrap();
        }
        assert_eq!(*order.lock().unwrap(), ["first of Ann", "second of Ann", "of Bob", "third of Ann"]);
    }

    #[tokio::test]
    async fn jobs_at_the_same_time_start_threads_up_to_the_limit_and_all_end_with_the_pool() {
        let (pool, first) = BlockingPool::start("test", 3).unwrap();
        assert_eq!(further_threads(&pool), 0);

        // Passes only when all three jobs run.
        let barrier = Arc::new(Barrier::new(3));
        let jobs: Vec<_> = (0..3)
            .map(|_| {
                let (pool, barrier) = (pool.clone(), Arc::clone(&barrier));
                let wait = move || {
                    barrier.wait();
                    Ok(())
                };
                tokio::spawn(async move { pool.run(wait).await })
            })
            .collect();
        for job in jobs {
            job.await.unwrap().unwrap();
        }
        for _ in 0..10 {
            pool.run(|| Ok(())).await.unwrap();
        }
        assert_eq!(further_threads(&pool), 2);

        let further = Arc::clone(&pool.0.further);
        drop(pool);
        first.join().unwrap();
        assert!(further.lock().unwrap().is_empty(), "the first thread ends last");
    }

    fn further_threads(pool: &BlockingPool) -> usize {
        pool.0.further.lock().unwrap().len()
    }

    #[tokio::test]
    async fn a_job_is_cancelled_when_its_client_disconnects() {
        let (pool, _thread) = BlockingPool::start("test", 1).unwrap();
        let (started, running) = oneshot::channel();
        let (ended, end) = oneshot::channel();
        let waiting = tokio::spawn({
            let pool = pool.clone();
            async move {
                let work = move |cancel: &Cancel| -> Result<()> {
                    started.send(()).unwrap();
                    while cancel.check().is_ok() {
                        std::thread::yield_now();
                    }
                    ended.send(()).unwrap();
                    cancel.check()
                };
                pool.run_for(QueueKey::User(1), Cancel::never(), work).await
            }
        });
        running.await.unwrap();
        waiting.abort();
        end.await.unwrap();
        pool.run(|| Ok(())).await.unwrap();
    }
}
