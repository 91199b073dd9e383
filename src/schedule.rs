//! Fair scheduling: one bounded queue per user, served in turn.
//!
//! Every thread pool and the writer take their jobs from a [`FairQueue`]. A job belongs to a [`Key`]: the user who sent
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
pub enum Key {
    /// The server itself: background jobs and the command line.
    System,
    /// A signed-in user, with any credential.
    User(i64),
    /// A client without a credential. Use [`Key::address`], which joins the addresses of one IPv6 network.
    Address(IpAddr),
    /// An organization, for limits shared by its members.
    Organization(String),
}

impl Key {
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
    static CURRENT: Key;
}

/// Runs `work` with `key` as the default for the jobs that it schedules.
pub async fn scope<F: Future>(key: Key, work: F) -> F::Output {
    CURRENT.scope(key, work).await
}

/// The key of the current [`scope`]; [`Key::System`] outside of a scope.
pub fn current() -> Key {
    CURRENT.try_with(Clone::clone).unwrap_or(Key::System)
}

/// The limits of a queue.
#[derive(Debug, Clone, Copy)]
pub struct QueueLimits {
    /// Maximum number of waiting jobs; half of the places are reserved for keys without waiting jobs.
    pub waiting: usize,
    /// Maximum number of waiting jobs of one key. Does not apply to [`Key::System`].
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
    keys: HashMap<Key, PerKey<T>>,
    /// Keys with waiting jobs, in order of their turns.
    turns: VecDeque<Key>,
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

    /// Adds a job to the end of the queue of its key.
    pub fn push(&self, key: Key, job: T) -> Result<(), QueueError> {
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
        if of_key >= self.limits.waiting_per_key && key != Key::System {
            return Err(QueueError::KeyFull);
        }
        if of_key == 0 {
            state.turns.push_back(key.clone());
        }
        let of_key = state.keys.entry(key).or_insert_with(|| PerKey { jobs: VecDeque::new(), running: 0 });
        of_key.jobs.push_back(job);
        state.waiting += 1;
        let wake = state.idle > 0;
        drop(state);
        if wake {
            self.changed.notify_one();
        }
        Ok(())
    }

    /// Waits for the next job. Call [`FairQueue::done`] with its key after running it. Returns `None` if the queue is
    /// closed and empty.
    pub fn pop(&self) -> Option<(Key, T)> {
        self.pop_when(|_, _| None)
    }

    /// Like [`FairQueue::pop`], but a job waits until the time that `earliest_start` returns for it, if any. Until then,
    /// its key is skipped. If the queue is closed, jobs no longer wait.
    pub fn pop_when(&self, earliest_start: impl Fn(&Key, &T) -> Option<Instant>) -> Option<(Key, T)> {
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
    pub fn pop_if(&self, ready: impl FnMut(&Key, &T) -> bool, accept: impl FnOnce(&T) -> bool) -> Option<(Key, T)> {
        self.state().take(self.limits.running_per_key, ready, accept)
    }

    /// Records that a job of `key` has finished.
    pub fn done(&self, key: &Key) {
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
        mut ready: impl FnMut(&Key, &T) -> bool,
        accept: impl FnOnce(&T) -> bool,
    ) -> Option<(Key, T)> {
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
mod tests {
    use std::time::Duration;

    use super::*;

    const LIMITS: QueueLimits = QueueLimits { waiting: 100, waiting_per_key: 10, running_per_key: usize::MAX };
    const ANN: Key = Key::User(1);
    const BOB: Key = Key::User(2);
    const CAT: Key = Key::User(3);

    fn queue(limits: QueueLimits, jobs: &[(Key, &'static str)]) -> FairQueue<&'static str> {
        let queue = FairQueue::new(limits);
        for (key, job) in jobs {
            queue.push(key.clone(), *job).unwrap();
        }
        queue
    }

    fn next(queue: &FairQueue<&'static str>) -> Option<&'static str> {
        queue.pop_if(|_, _| true, |_| true).map(|(_, job)| job)
    }

    #[test]
    fn a_user_with_a_full_queue_delays_others_by_one_job_per_user() {
        let queue = queue(LIMITS, &[(ANN, "a1"), (ANN, "a2"), (ANN, "a3"), (CAT, "c1"), (CAT, "c2")]);
        let (running, _) = queue.pop().unwrap();
        queue.push(BOB, "b1").unwrap();
        queue.done(&running);
        queue.push(running, "a4").unwrap();
        let mut before = Vec::new();
        loop {
            let (key, job) = queue.pop().unwrap();
            if job == "b1" {
                break;
            }
            queue.done(&key);
            queue.push(key, "more").unwrap();
            before.push(job);
        }
        assert_eq!(before, ["c1", "a2"]);
    }

    #[test]
    fn users_with_fewer_running_jobs_come_first() {
        let queue = queue(LIMITS, &[(ANN, "a1"), (ANN, "a2"), (ANN, "a3")]);
        assert_eq!([next(&queue), next(&queue)], [Some("a1"), Some("a2")], "a lone user may use every thread");
        queue.push(BOB, "b1").unwrap();
        queue.push(BOB, "b2").unwrap();
        assert_eq!([next(&queue), next(&queue)], [Some("b1"), Some("b2")], "two jobs of Ann are running");
    }

    #[test]
    fn a_user_at_the_running_limit_waits_while_others_run() {
        let queue = queue(QueueLimits { running_per_key: 1, ..LIMITS }, &[(ANN, "a1"), (ANN, "a2"), (BOB, "b1")]);
        assert_eq!([next(&queue), next(&queue), next(&queue)], [Some("a1"), Some("b1"), None]);
        queue.done(&ANN);
        assert_eq!(next(&queue), Some("a2"));
    }

    #[test]
    fn a_users_backlog_is_rejected_before_the_queue_is_full() {
        let queue = queue(QueueLimits { waiting: 8, waiting_per_key: 2, ..LIMITS }, &[(ANN, "a1"), (ANN, "a2")]);
        assert_eq!(queue.push(ANN, "a3"), Err(QueueError::KeyFull));
        assert_eq!(queue.push(Key::System, "s1"), Ok(()));
        assert_eq!(queue.push(BOB, "b1"), Ok(()));
        assert_eq!(
            queue.push(BOB, "b2"),
            Err(QueueError::Full),
            "half of the places are reserved for keys without waiting jobs"
        );
        for user in 3..7 {
            assert_eq!(queue.push(Key::User(user), "1"), Ok(()));
        }
        assert_eq!(queue.push(Key::User(7), "1"), Err(QueueError::Full));
    }

    #[test]
    fn a_rejected_job_keeps_its_turn() {
        let queue = queue(LIMITS, &[(ANN, "large"), (BOB, "b1")]);
        assert_eq!(queue.pop_if(|_, _| true, |job| *job != "large"), None);
        assert_eq!([next(&queue), next(&queue)], [Some("large"), Some("b1")]);
    }

    #[test]
    fn a_job_that_must_wait_does_not_delay_other_users() {
        let queue = queue(LIMITS, &[(ANN, "large"), (ANN, "a2"), (BOB, "b1"), (BOB, "b2")]);
        let later = Instant::now() + Duration::from_hours(1);
        let earliest_start = |_: &Key, job: &&str| (*job == "large").then_some(later);
        let order: Vec<_> = (0..2).map(|_| queue.pop_when(earliest_start).unwrap().1).collect();
        assert_eq!(order, ["b1", "b2"]);
        assert_eq!(queue.pop_if(|key, job| earliest_start(key, job).is_none(), |_| true), None);
        queue.close();
        assert_eq!(queue.pop_when(earliest_start).unwrap().1, "large", "a closed queue does not wait");
    }

    #[test]
    fn a_job_that_must_wait_starts_without_a_further_event() {
        let queue = queue(LIMITS, &[(ANN, "large")]);
        let soon = Instant::now() + Duration::from_millis(5);
        assert_eq!(queue.pop_when(|_, _| Some(soon)).unwrap().1, "large");
        assert!(Instant::now() >= soon);
    }

    #[test]
    fn a_closed_queue_returns_waiting_jobs_and_then_ends() {
        let queue = queue(LIMITS, &[(ANN, "a1")]);
        queue.close();
        assert_eq!(queue.push(ANN, "a2"), Err(QueueError::Closed));
        assert_eq!(queue.pop(), Some((ANN, "a1")));
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn keys_without_jobs_take_no_memory() {
        let queue = queue(LIMITS, &[(ANN, "a1"), (BOB, "b1")]);
        while let Some((key, _)) = queue.pop_if(|_, _| true, |_| true) {
            queue.done(&key);
        }
        assert!(queue.state().keys.is_empty() && queue.state().turns.is_empty());
    }

    #[test]
    fn addresses_of_one_ipv6_network_share_a_key() {
        let key = |address: &str| Key::address(address.parse().unwrap());
        assert_eq!(key("2001:db8::1"), key("2001:db8::ffff:1"));
        assert_ne!(key("2001:db8::1"), key("2001:db8:0:1::1"));
        assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
        assert_ne!(key("192.0.2.1"), key("192.0.2.2"));
    }

    #[tokio::test]
    async fn jobs_belong_to_the_innermost_scope() {
        assert_eq!(current(), Key::System);
        scope(ANN, async {
            assert_eq!(current(), ANN);
            scope(BOB, async { assert_eq!(current(), BOB) }).await;
        })
        .await;
    }
}
