//! Fair scheduling: one bounded queue per user, served in turn.
//!
//! Every thread pool and the writer take their jobs from a [`FairQueue`]. A job belongs to a [`QueueKey`]: the user who sent
//! the request, or the client's address before sign-in. Keys with waiting jobs are served round robin, those with the
//! fewest running jobs first, so that one user's backlog delays another user by at most one job of each key.

use std::{
    collections::{HashMap, VecDeque},
    net::{IpAddr, Ipv6Addr},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use crate::error::Error;

/// The owner of a job, whose queue it waits in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum QueueKey {
    /// The server itself: background jobs and the command line.
    System,
    /// A signed-in user, with any credential.
    User(i64),
    /// A client without a credential. Use [`QueueKey::address`], which joins the addresses of one IPv6 network.
    Address(IpAddr),
    /// All readers of share links without a credential.
    Readers,
    /// An organization, for limits shared by its members.
    Organization(String),
}

impl QueueKey {
    /// The key of a client without a credential. All addresses of one /64 share it because a host usually has a whole
    /// /64.
    pub fn address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
            address @ IpAddr::V4(_) => address,
        })
    }
}

tokio::task_local! {
    static CURRENT: QueueKey;
}

/// Runs `work` with `key` as the default for the jobs that it schedules.
pub async fn scope<F: Future>(key: QueueKey, work: F) -> F::Output {
    CURRENT.scope(key, work).await
}

/// The key of the current [`scope`]; [`QueueKey::System`] outside of a scope.
pub fn current() -> QueueKey {
    CURRENT.try_with(Clone::clone).unwrap_or(QueueKey::System)
}

/// The limits of a queue.
#[derive(Debug, Clone, Copy)]
pub struct QueueLimits {
    /// Maximum number of waiting jobs; half of the places are reserved for keys without waiting jobs.
    pub waiting: usize,
    /// Maximum number of waiting jobs of one key. Does not apply to [`QueueKey::System`].
    pub waiting_per_key: usize,
    /// Maximum number of running jobs of one key.
    pub running_per_key: usize,
}

/// Why a job was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueError {
    /// Too many jobs of this key are waiting.
    KeyFull,
    /// Too many jobs are waiting in total.
    Full,
    /// The queue is closed: the server is stopping.
    Closed,
}

impl From<QueueError> for Error {
    fn from(refused: QueueError) -> Self {
        match refused {
            QueueError::KeyFull => Self::TooManyRequests,
            QueueError::Full => Self::Busy,
            QueueError::Closed => Self::internal("the server is stopping"),
        }
    }
}

/// A bounded queue that is fair between keys. Share it with an [`std::sync::Arc`].
pub struct FairQueue<T> {
    limits: QueueLimits,
    state: Mutex<State<T>>,
    changed: Condvar,
}

impl<T> std::fmt::Debug for FairQueue<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FairQueue").field("limits", &self.limits).finish_non_exhaustive()
    }
}

struct State<T> {
    keys: HashMap<QueueKey, PerKey<T>>,
    /// Keys with waiting jobs, in order of their turns.
    turns: VecDeque<QueueKey>,
    waiting: usize,
    /// Threads that wait for a job.
    idle: usize,
    closed: bool,
}

struct PerKey<T> {
    jobs: VecDeque<T>,
    running: usize,
}

impl<T> FairQueue<T> {
    /// An empty queue.
    pub fn new(limits: QueueLimits) -> Self {
        let state = State { keys: HashMap::new(), turns: VecDeque::new(), waiting: 0, idle: 0, closed: false };
        Self { limits, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Adds a job to the end of the queue of its key. Returns whether more jobs than idle threads wait.
    pub fn push(&self, key: QueueKey, job: T) -> Result<bool, QueueError> {
        let mut state = self.state();
        if state.closed {
            return Err(QueueError::Closed);
        }
        let of_key = state.keys.get(&key).map_or(0, |of_key| of_key.jobs.len());
        // Half of the places are reserved for keys without waiting jobs, so that a few users cannot fill the queue.
        let most = if of_key == 0 { self.limits.waiting } else { self.limits.waiting / 2 };
        if state.waiting >= most {
            return Err(QueueError::Full);
        }
        if of_key >= self.limits.waiting_per_key && key != QueueKey::System {
            return Err(QueueError::KeyFull);
        }
        if of_key == 0 {
            state.turns.push_back(key.clone());
        }
        let of_key = state.keys.entry(key).or_insert_with(|| PerKey { jobs: VecDeque::new(), running: 0 });
        of_key.jobs.push_back(job);
        state.waiting += 1;
        let (idle, waiting) = (state.idle, state.waiting);
        drop(state);
        if idle > 0 {
            self.changed.notify_one();
        }
        Ok(waiting > idle)
    }

    /// Waits for the next job. Call [`FairQueue::done`] with its key after running it. Returns `None` if the queue is
    /// closed and empty.
    pub fn pop(&self) -> Option<(QueueKey, T)> {
        self.pop_when(|_, _| None)
    }

    /// Like [`FairQueue::pop`], but a job waits until the time that `earliest_start` returns for it, if any. Until then,
    /// its key is skipped. If the queue is closed, jobs no longer wait.
    pub fn pop_when(&self, earliest_start: impl Fn(&QueueKey, &T) -> Option<Instant>) -> Option<(QueueKey, T)> {
        let mut state = self.state();
        loop {
            let mut wake_at: Option<Instant> = None;
            let now = Instant::now();
            let closed = state.closed;
            let next = state.take(
                self.limits.running_per_key,
                |key, job| {
                    let start = earliest_start(key, job).filter(|start| !closed && *start > now);
                    wake_at = match (wake_at, start) {
                        (Some(one), Some(other)) => Some(one.min(other)),
                        (one, other) => one.or(other),
                    };
                    start.is_none()
                },
                |_| true,
            );
            if next.is_some() {
                return next;
            }
            if state.closed && state.waiting == 0 {
                return None;
            }
            state.idle += 1;
            state = match wake_at {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(start) => {
                    let timeout = start.saturating_duration_since(now);
                    self.changed.wait_timeout(state, timeout).unwrap_or_else(PoisonError::into_inner).0
                }
            };
            state.idle -= 1;
        }
    }

    /// Takes the next job without waiting, if there is one and `accept` returns true for it. Keys whose next job is not
    /// `ready` are skipped. Call [`FairQueue::done`] with its key after running it.
    pub fn pop_if(
        &self,
        ready: impl FnMut(&QueueKey, &T) -> bool,
        accept: impl FnOnce(&T) -> bool,
    ) -> Option<(QueueKey, T)> {
        self.state().take(self.limits.running_per_key, ready, accept)
    }

    /// Records that a job of `key` has finished.
    pub fn done(&self, key: &QueueKey) {
        let mut state = self.state();
        let Some(of_key) = state.keys.get_mut(key) else { return };
        of_key.running = of_key.running.saturating_sub(1);
        if of_key.running == 0 && of_key.jobs.is_empty() {
            state.keys.remove(key);
        }
        // Wakes threads that wait for the end of a closed queue.
        if state.closed {
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Rejects new jobs. Waiting jobs still run.
    pub fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Number of waiting jobs.
    pub fn waiting(&self) -> usize {
        self.state().waiting
    }

    /// Number of running jobs.
    pub fn running(&self) -> usize {
        self.state().keys.values().map(|of_key| of_key.running).sum()
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        // No code in this module panics in the middle of a change, so the state is consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    /// Takes the next job: among the keys below their running limit whose next job is `ready`, those with the fewest
    /// running jobs, and among these the key whose turn is next.
    fn take(
        &mut self,
        running_per_key: usize,
        mut ready: impl FnMut(&QueueKey, &T) -> bool,
        accept: impl FnOnce(&T) -> bool,
    ) -> Option<(QueueKey, T)> {
        let mut best: Option<(usize, usize)> = None;
        for (turn, key) in self.turns.iter().enumerate() {
            let Some(of_key) = self.keys.get(key) else { continue };
            let running = of_key.running;
            if running < running_per_key
                && best.is_none_or(|(_, fewest)| running < fewest)
                && of_key.jobs.front().is_some_and(|job| ready(key, job))
            {
                best = Some((turn, running));
                if running == 0 {
                    break;
                }
            }
        }
        let (turn, _) = best?;
        let next = self.keys.get(self.turns.get(turn)?)?.jobs.front()?;
        if !accept(next) {
            return None;
        }
        let key = self.turns.remove(turn)?;
        let of_key = self.keys.get_mut(&key)?;
        let job = of_key.jobs.pop_front()?;
        of_key.running += 1;
        if !of_key.jobs.is_empty() {
            self.turns.push_back(key.clone());
        }
        self.waiting -= 1;
        Some((key, job))
    }
}

#[cfg(test)]
mod tests;
