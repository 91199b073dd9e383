//! Memory budgets for concurrent requests, in total and per holder, and turns for work that takes much memory.

use std::{
    collections::HashMap,
    hash::Hash,
    net::{IpAddr, Ipv6Addr},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result};

/// Maximum time that a request waits for memory. After that, the client gets an error and can try again.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The holder of a reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A user, with any credentials.
    User(i64),
    /// A client before sign-in. For IPv6 this is the /64 network, which is usually assigned to one customer.
    Address(IpAddr),
}

impl Holder {
    /// The holder for a client before sign-in.
    pub fn anonymous(address: IpAddr) -> Self {
        Self::Address(network_of(address))
    }
}

/// The address for limits per address: IPv4 addresses unchanged, IPv6 addresses as their /64 network.
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

/// Why a reservation fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetError {
    /// The share of the holder is exhausted.
    Share,
    /// The total budget is exhausted.
    Total,
}

/// A budget in bytes. Clones share it.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    total: usize,
    share: usize,
    used: Mutex<Used>,
    released: Notify,
}

#[derive(Debug, Default)]
struct Used {
    total: usize,
    by_holder: HashMap<Holder, usize>,
}

impl Budget {
    /// A budget of `total` bytes, of which one holder can use `share`.
    pub fn new(total: usize, share: usize) -> Self {
        let inner = Inner { total, share: share.min(total), used: Mutex::default(), released: Notify::new() };
        Self(Arc::new(inner))
    }

    /// An empty reservation.
    pub fn reservation(&self, holder: Holder) -> Reservation {
        Reservation { budget: self.clone(), holder, bytes: 0 }
    }

    /// Counts `bytes` that are allocated already, even beyond the budget. [`Budget::check`] prevents further
    /// allocations.
    pub fn hold(&self, holder: Holder, bytes: usize) -> Reservation {
        let mut reservation = self.reservation(holder);
        reservation.add(&mut self.used(), bytes);
        reservation
    }

    /// Checks that bytes are available, in total and for the holder.
    pub fn check(&self, holder: Holder) -> std::result::Result<(), BudgetError> {
        self.check_used(&self.used(), holder)
    }

    fn check_used(&self, used: &Used, holder: Holder) -> std::result::Result<(), BudgetError> {
        match () {
            () if used.by_holder.get(&holder).copied().unwrap_or_default() >= self.0.share => Err(BudgetError::Share),
            () if used.total >= self.0.total => Err(BudgetError::Total),
            () => Ok(()),
        }
    }

    /// Counts `bytes`, even beyond the budget, if any are available.
    fn admit_now(&self, holder: Holder, bytes: usize) -> std::result::Result<Reservation, BudgetError> {
        let mut used = self.used();
        self.check_used(&used, holder)?;
        let mut reservation = self.reservation(holder);
        reservation.add(&mut used, bytes);
        Ok(reservation)
    }

    /// Counts `bytes`, even beyond the budget, as soon as any are available, so that work that needs much memory begins one
    /// after the other. Waits at most for `timeout`.
    pub async fn admit(
        &self,
        holder: Holder,
        bytes: usize,
        timeout: Duration,
    ) -> std::result::Result<Reservation, BudgetError> {
        let wait = async {
            loop {
                let released = self.0.released.notified();
                if let Ok(reservation) = self.admit_now(holder, bytes) {
                    return reservation;
                }
                released.await;
            }
        };
        match tokio::time::timeout(timeout, wait).await {
            Ok(reservation) => Ok(reservation),
            Err(_) => self.admit_now(holder, bytes),
        }
    }

    /// Waits until bytes are available, at most for `timeout`.
    pub async fn wait_for_space(&self, holder: Holder, timeout: Duration) -> std::result::Result<(), BudgetError> {
        let wait = async {
            loop {
                let released = self.0.released.notified();
                if self.check(holder).is_ok() {
                    return;
                }
                released.await;
            }
        };
        match tokio::time::timeout(timeout, wait).await {
            Ok(()) => Ok(()),
            Err(_) => self.check(holder),
        }
    }

    /// Bytes in use.
    pub fn in_use(&self) -> usize {
        self.used().total
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.0.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reserved bytes, released on drop.
#[derive(Debug)]
pub struct Reservation {
    budget: Budget,
    holder: Holder,
    bytes: usize,
}

impl Reservation {
    /// The number of bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The holder of the bytes.
    pub fn holder(&self) -> Holder {
        self.holder
    }

    /// Reserves `more` bytes. A holder can always reserve up to `least` bytes regardless of the share, and a single
    /// holder regardless of the budget, so that a body of the maximum size for its route always fits.
    pub fn grow(&mut self, more: usize, least: usize) -> std::result::Result<(), BudgetError> {
        let (budget, wanted) = (self.budget.clone(), self.bytes + more);
        let mut used = budget.used();
        let own = used.by_holder.get(&self.holder).copied().unwrap_or_default();
        if own + more > budget.0.share.max(least) {
            return Err(BudgetError::Share);
        }
        let alone = used.total == self.bytes && wanted <= least;
        if used.total + more > budget.0.total && !alone {
            return Err(BudgetError::Total);
        }
        self.add(&mut used, more);
        Ok(())
    }

    fn add(&mut self, used: &mut Used, more: usize) {
        if more > 0 {
            self.bytes += more;
            used.total += more;
            *used.by_holder.entry(self.holder).or_default() += more;
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut used = self.budget.used();
        used.total -= self.bytes;
        if let Some(own) = used.by_holder.get_mut(&self.holder) {
            *own -= self.bytes;
            if *own == 0 {
                used.by_holder.remove(&self.holder);
            }
        }
        drop(used);
        self.budget.0.released.notify_waiters();
    }
}

/// Turns for work that takes much memory: at most a total weight at a time, of which one user has a share. Users wait in
/// order of arrival, each with at most as much as their share.
#[derive(Debug)]
pub struct Turns<U> {
    all: Arc<Semaphore>,
    total: u32,
    share: u32,
    by_user: Mutex<HashMap<U, Weak<Semaphore>>>,
    waiting: AtomicUsize,
}

/// A turn, released on drop.
#[derive(Debug)]
pub struct Turn {
    _all: OwnedSemaphorePermit,
    _own: OwnedSemaphorePermit,
}

impl<U: Eq + Hash> Turns<U> {
    /// Turns of the weight `total` at a time, of which one user has `share`.
    pub fn new(total: u32, share: u32) -> Self {
        let (total, share) = (total.max(1), share.max(1));
        Self {
            all: Arc::new(Semaphore::new(total as usize)),
            total,
            share,
            by_user: Mutex::default(),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Waits for a turn. Work that is heavier than the share of a user waits until this user has no other turn, and work
    /// that is heavier than the total until no user has one.
    pub async fn take(&self, user: U, weight: u32) -> Result<Turn> {
        let closed = |_| Error::internal("the server is stopping");
        let _waiting = Waiting::new(&self.waiting);
        let own = self.of(user).acquire_many_owned(weight.min(self.share)).await.map_err(closed)?;
        let all = Arc::clone(&self.all).acquire_many_owned(weight.min(self.total)).await.map_err(closed)?;
        Ok(Turn { _all: all, _own: own })
    }

    /// Number of requests that wait for a turn.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn of(&self, user: U) -> Arc<Semaphore> {
        let mut by_user = self.by_user.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = by_user.get(&user).and_then(Weak::upgrade) {
            return own;
        }
        by_user.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(self.share as usize));
        by_user.insert(user, Arc::downgrade(&own));
        own
    }
}

/// Counts a waiting request, until it is dropped.
struct Waiting<'t>(&'t AtomicUsize);

impl<'t> Waiting<'t> {
    fn new(count: &'t AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;

    use super::*;

    const ADA: i64 = 1;
    const BOB: i64 = 2;
    const EVE: i64 = 3;

    #[test]
    fn a_holder_is_limited_to_its_share() {
        let budget = Budget::new(100, 40);
        let (ada, bob, eve) = (Holder::User(1), Holder::User(2), Holder::User(3));
        let mut first = budget.reservation(ada);
        assert_eq!(first.grow(40, 0), Ok(()));
        assert_eq!(first.grow(1, 0), Err(BudgetError::Share));
        let mut second = budget.reservation(bob);
        assert_eq!(second.grow(40, 0), Ok(()));
        let mut third = budget.reservation(eve);
        assert_eq!(third.grow(21, 0), Err(BudgetError::Total));
        drop(first);
        assert_eq!(third.grow(21, 0), Ok(()));
        assert_eq!(budget.in_use(), 61);
        drop((second, third));
        assert_eq!(budget.in_use(), 0);
    }

    #[test]
    fn a_body_within_the_route_limit_always_fits_when_the_server_is_idle() {
        let budget = Budget::new(100, 40);
        let mut large = budget.reservation(Holder::User(1));
        assert_eq!(large.grow(150, 200), Ok(()));
        assert_eq!(budget.reservation(Holder::User(2)).grow(1, 200), Err(BudgetError::Total));
        assert_eq!(large.grow(51, 200), Err(BudgetError::Share));
    }

    #[test]
    fn anonymous_clients_of_one_network_share_a_budget() {
        let of = |text: &str| Holder::anonymous(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }

    #[tokio::test]
    async fn a_user_has_one_turn_at_a_time_and_does_not_block_others() {
        let turns = Arc::new(Turns::new(2, 1));
        let first = turns.take(ADA, 1).await.unwrap();
        let again = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move { turns.take(ADA, 1).await.map(drop) }
        });
        // The second request of the first user waits for the first one, not for a place among all.
        let second = turns.take(BOB, 1).await.unwrap();
        assert!(!again.is_finished());
        drop(first);
        again.await.unwrap().unwrap();
        drop(second);
    }

    #[tokio::test]
    async fn the_heaviest_work_runs_alone_and_lighter_work_does_not_overtake_it() {
        let turns = Turns::new(100, 25);
        let light = turns.take(ADA, 10).await.unwrap();
        let mut heavy = Box::pin(turns.take(BOB, 1_000));
        assert!(poll!(heavy.as_mut()).is_pending(), "it needs all of the total");
        let mut next = Box::pin(turns.take(EVE, 10));
        assert!(poll!(next.as_mut()).is_pending(), "a stream of light work would delay heavy work forever");
        drop(light);
        let heavy = heavy.await.unwrap();
        assert!(poll!(next.as_mut()).is_pending());
        drop(heavy);
        drop(next.await.unwrap());
    }

    #[tokio::test]
    async fn a_user_who_gives_up_waiting_leaves_the_queue() {
        let turns = Turns::new(100, 25);
        let running = turns.take(ADA, 100).await.unwrap();
        let mut given_up = Box::pin(turns.take(BOB, 100));
        let mut next = Box::pin(turns.take(EVE, 1));
        assert!(poll!(given_up.as_mut()).is_pending());
        assert!(poll!(next.as_mut()).is_pending());
        assert_eq!(turns.waiting(), 2);
        drop(given_up);
        assert_eq!(turns.waiting(), 1);
        drop(running);
        drop(next.await.unwrap());
        // Their share is free again, too.
        drop(turns.take(BOB, 25).await.unwrap());
    }

    #[tokio::test]
    async fn work_that_needs_more_than_the_budget_begins_one_after_the_other() {
        let budget = Budget::new(100, 40);
        let (ada, bob) = (Holder::User(1), Holder::User(2));
        let first = budget.admit(ada, 300, PATIENCE).await.unwrap();
        assert_eq!(budget.admit(ada, 1, Duration::ZERO).await.unwrap_err(), BudgetError::Share);
        let waiting = tokio::spawn({
            let budget = budget.clone();
            async move { budget.admit(bob, 300, PATIENCE).await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(first);
        let second = waiting.await.unwrap().unwrap();
        assert_eq!(budget.in_use(), 300);
        drop(second);
        assert_eq!(budget.in_use(), 0);
    }

    #[tokio::test]
    async fn released_bytes_are_available_immediately() {
        let budget = Budget::new(10, 10);
        let held = budget.hold(Holder::User(1), 25);
        assert_eq!(budget.wait_for_space(Holder::User(2), Duration::ZERO).await, Err(BudgetError::Total));
        let waiting = tokio::spawn({
            let budget = budget.clone();
            async move { budget.wait_for_space(Holder::User(2), Duration::from_mins(1)).await }
        });
        tokio::task::yield_now().await;
        drop(held);
        assert_eq!(waiting.await.unwrap(), Ok(()));
    }
}
