//! Connection limits, in total and per address, and eviction of idle connections when all are in use.

use std::{
    collections::{HashMap, HashSet},
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use ipnet::IpNet;
use tokio::sync::Notify;

use crate::budget::network_of;

/// Connections that have been idle for less than this are not evicted, because a request may be on its way.
const GRACE: Duration = Duration::from_secs(1);
/// Minimum interval between log messages about the same limit.
const WARN_INTERVAL: Duration = Duration::from_mins(1);
/// Maximum number of remembered peers that have sent `X-Forwarded-For`.
const MAX_FORWARDING: usize = 1_024;

/// Connection limits.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Maximum number of connections.
    pub connections: usize,
    /// Maximum number of connections from one address; for IPv6 from one /64 network.
    pub per_address: usize,
    /// Proxies, which are exempt from the limit per address.
    pub trusted: Vec<IpNet>,
}

/// Counts of connections.
#[derive(Debug, Default)]
pub struct ConnectionCounts {
    open: AtomicU64,
    refused: AtomicU64,
    evicted: AtomicU64,
    /// Untrusted peers that sent `X-Forwarded-For`, probably proxies that are missing from the configuration.
    forwarding: Mutex<HashSet<IpAddr>>,
}

impl ConnectionCounts {
    /// Open connections.
    pub fn open(&self) -> u64 {
        self.open.load(Ordering::Relaxed)
    }

    /// Connections that were closed at once, because their address had too many, since the start.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Addresses that sent `X-Forwarded-For` although they are not trusted, since the start.
    pub fn forwarding(&self) -> Vec<IpAddr> {
        let mut addresses: Vec<IpAddr> = self.forwarding_set().iter().copied().collect();
        addresses.sort_unstable();
        addresses
    }

    fn forwarding_set(&self) -> MutexGuard<'_, HashSet<IpAddr>> {
        self.forwarding.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Idle connections that were closed to accept others, since the start.
    pub fn evicted(&self) -> u64 {
        self.evicted.load(Ordering::Relaxed)
    }
}

/// All connections.
#[derive(Debug)]
pub(super) struct Slots {
    limits: ConnectionLimits,
    counts: Arc<ConnectionCounts>,
    state: Mutex<State>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    open: HashMap<u64, Open>,
    by_address: HashMap<IpAddr, usize>,
    warned_of_address: Option<Instant>,
    warned_of_all: Option<Instant>,
}

#[derive(Debug)]
struct Open {
    address: IpAddr,
    /// When the connection became idle. None while it processes a request.
    idle_since: Option<Instant>,
    evicted: Arc<Notify>,
}

/// Why a connection cannot be accepted now.
enum AcceptError {
    /// The address has too many connections.
    Address,
    /// All connections are in use. One can be evicted after this time.
    All(Duration),
}

impl Slots {
    pub(super) fn new(limits: ConnectionLimits, counts: Arc<ConnectionCounts>) -> Arc<Self> {
        Arc::new(Self { limits, counts, state: Mutex::default(), freed: Notify::new() })
    }

    /// Waits for a slot, and evicts the connection that has been idle longest if necessary. None if the address has too
    /// many connections.
    pub(super) async fn take(self: &Arc<Self>, peer: IpAddr) -> Option<Slot> {
        loop {
            let freed = self.freed.notified();
            match self.try_take(peer) {
                Ok(slot) => return Some(slot),
                Err(AcceptError::Address) => return None,
                Err(AcceptError::All(wait)) => drop(tokio::time::timeout(wait, freed).await),
            }
        }
    }

    fn try_take(self: &Arc<Self>, peer: IpAddr) -> Result<Slot, AcceptError> {
        let address = network_of(peer);
        let mut state = self.state();
        let cap = self.cap(address);
        if state.by_address.get(&address).is_some_and(|count| *count >= cap) {
            if is_due(&mut state.warned_of_address) {
                let setting = "limits.connections_per_address";
                tracing::warn!(%address, cap, setting, "too many connections from one address; closing further ones. If it is a reverse proxy, add it to \
                     proxies.trusted");
            }
            self.counts.refused.fetch_add(1, Ordering::Relaxed);
            return Err(AcceptError::Address);
        }
        if state.open.len() >= self.limits.connections {
            let longest = state.open.iter().filter_map(|(id, open)| Some((open.idle_since?, *id))).min();
            let idle = longest.map(|(since, id)| (since.elapsed(), id));
            if is_due(&mut state.warned_of_all) {
                let connections = self.limits.connections;
                tracing::warn!(
                    connections,
                    "all connections are in use; closing the longest idle ones. If they belong to users, raise \
                     limits.connections"
                );
            }
            match idle {
                Some((idle, id)) if idle >= GRACE => {
                    if let Some(open) = state.remove(id) {
                        self.counts.evicted.fetch_add(1, Ordering::Relaxed);
                        open.evicted.notify_one();
                    }
                }
                Some((idle, _)) => return Err(AcceptError::All(GRACE.saturating_sub(idle))),
                None => return Err(AcceptError::All(GRACE)),
            }
        }
        state.next += 1;
        let (id, evicted) = (state.next, Arc::new(Notify::new()));
        let open = Open { address, idle_since: Some(Instant::now()), evicted: Arc::clone(&evicted) };
        state.open.insert(id, open);
        *state.by_address.entry(address).or_default() += 1;
        self.counts.open.swap(state.open.len() as u64, Ordering::Relaxed);
        drop(state);
        Ok(Slot { slots: Arc::clone(self), id, evicted })
    }

    fn cap(&self, address: IpAddr) -> usize {
        match () {
            () if self.trusts(address) => usize::MAX,
            () if self.counts.forwarding_set().contains(&address) => {
                (self.limits.connections / 2).max(self.limits.per_address)
            }
            () => self.limits.per_address,
        }
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.limits.trusted.iter().any(|network| network.contains(&address))
    }

    /// Records that a peer sent `X-Forwarded-For`.
    pub(super) fn forwards(&self, peer: IpAddr) {
        let address = network_of(peer);
        if self.trusts(address) || self.trusts(peer.to_canonical()) {
            return;
        }
        let mut forwarding = self.counts.forwarding_set();
        if forwarding.len() < MAX_FORWARDING && forwarding.insert(address) {
            tracing::warn!(
                %peer,
                "ignored X-Forwarded-For from an address that is not in `proxies.trusted`: all visitors behind this \
                 proxy share one rate limit. If this is your proxy, add its address"
            );
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn remove(&mut self, id: u64) -> Option<Open> {
        let open = self.open.remove(&id)?;
        if let Some(count) = self.by_address.get_mut(&open.address) {
            *count -= 1;
            if *count == 0 {
                self.by_address.remove(&open.address);
            }
        }
        Some(open)
    }
}

/// Whether the interval since the last warning has passed.
fn is_due(last: &mut Option<Instant>) -> bool {
    let due = last.is_none_or(|last| last.elapsed() >= WARN_INTERVAL);
    if due {
        *last = Some(Instant::now());
    }
    due
}

/// A slot for one connection.
#[derive(Debug)]
pub(super) struct Slot {
    slots: Arc<Slots>,
    id: u64,
    evicted: Arc<Notify>,
}

impl Slot {
    /// Waits until the connection is evicted.
    pub(super) async fn evicted(&self) {
        self.evicted.notified().await;
    }

    /// Marks the connection as busy until the returned value is dropped.
    pub(super) fn busy(self: &Arc<Self>) -> ActiveRequest {
        self.idle(None);
        ActiveRequest(Arc::clone(self))
    }

    /// Records that the peer sent `X-Forwarded-For`.
    pub(super) fn forwards(&self, peer: IpAddr) {
        self.slots.forwards(peer);
    }

    fn idle(&self, since: Option<Instant>) {
        if let Some(open) = self.slots.state().open.get_mut(&self.id) {
            open.idle_since = since;
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut state = self.slots.state();
        state.remove(self.id);
        self.slots.counts.open.swap(state.open.len() as u64, Ordering::Relaxed);
        drop(state);
        self.slots.freed.notify_one();
    }
}

/// A request in progress.
#[derive(Debug)]
pub(super) struct ActiveRequest(Arc<Slot>);

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        self.0.idle(Some(Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(connections: usize, per_address: usize) -> Arc<Slots> {
        let trusted = vec!["10.0.0.0/8".parse().unwrap()];
        Slots::new(ConnectionLimits { connections, per_address, trusted }, Arc::default())
    }

    fn try_take(slots: &Arc<Slots>, peer: &str) -> Option<Slot> {
        slots.try_take(peer.parse().unwrap()).ok()
    }

    #[test]
    fn the_connection_limit_per_address_exempts_proxies() {
        let slots = slots(20, 2);
        let first = try_take(&slots, "192.0.2.1").unwrap();
        let _second = try_take(&slots, "::ffff:192.0.2.1").unwrap();
        assert!(try_take(&slots, "192.0.2.1").is_none());
        assert_eq!(slots.counts.refused(), 1);
        assert!(try_take(&slots, "192.0.2.2").is_some());
        drop(first);
        assert!(try_take(&slots, "192.0.2.1").is_some());
        let of_network: Vec<Option<Slot>> = (1..=3).map(|n| try_take(&slots, &format!("2001:db8::{n}"))).collect();
        assert!(of_network[1].is_some() && of_network[2].is_none());
        let of_proxy: Vec<Option<Slot>> = (0..5).map(|_| try_take(&slots, "10.1.2.3")).collect();
        assert!(of_proxy.iter().all(Option::is_some));
    }

    #[test]
    fn an_unlisted_proxy_gets_half_of_all_connections() {
        let slots = slots(8, 2);
        slots.forwards("192.0.2.1".parse().unwrap());
        let held: Vec<Slot> = std::iter::from_fn(|| try_take(&slots, "192.0.2.1")).collect();
        assert_eq!(held.len(), 4);
        assert!(try_take(&slots, "192.0.2.2").is_some());
    }

    #[test]
    fn the_longest_idle_connection_is_evicted_and_busy_ones_are_not() {
        let slots = slots(2, 2);
        let idle = Arc::new(try_take(&slots, "192.0.2.1").unwrap());
        let busy = Arc::new(try_take(&slots, "192.0.2.1").unwrap());
        let request = busy.busy();
        assert!(try_take(&slots, "192.0.2.2").is_none(), "the idle one has just come");
        idle.idle(Instant::now().checked_sub(GRACE));
        let next = try_take(&slots, "192.0.2.2").unwrap();
        assert_eq!((slots.counts.open(), slots.counts.evicted(), slots.counts.refused()), (2, 1, 0));
        next.idle(Instant::now().checked_sub(GRACE));
        drop(idle);
        assert_eq!(slots.state().open.len(), 2, "one that was evicted is not counted off twice");
        drop((request, busy, next));
        assert!(slots.state().open.is_empty() && slots.state().by_address.is_empty());
    }
}
