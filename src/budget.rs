//! Memory budgets for concurrent requests, in total and per holder, and turns for work that takes much memory.

mod turns;

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::Notify;

pub use self::turns::{Turn, Turns};

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
        let used = self.used();
        match () {
            () if used.by_holder.get(&holder).copied().unwrap_or_default() >= self.0.share => Err(BudgetError::Share),
            () if used.total >= self.0.total => Err(BudgetError::Total),
            () => Ok(()),
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

#[cfg(test)]
mod tests {
    use super::*;

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
