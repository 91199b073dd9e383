//! Connection limits, in total and per address, and eviction of connections when all are in use: of those that are idle,
//! otherwise of those that have not sent their whole request.

use std::{
    collections::{HashMap, HashSet},
    net::{IpAddr, Ipv6Addr},
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
/// Connections whose request began less than this ago are not evicted while its body arrives.
const UPLOAD_GRACE: Duration = Duration::from_secs(5);
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

    /// Connections that were closed to accept others, since the start.
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
    activity: Activity,
    evicted: Arc<Notify>,
}

/// What a connection does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Activity {
    /// It waits for a request since this time.
    Idle(Instant),
    /// It receives the body of a request that began at this time.
    Receiving(Instant),
    /// It processes a complete request, and is not evicted.
    Processing,
}

/// When a connection can be evicted. The smallest value is evicted first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Eviction {
    /// Now, because it is idle since this time.
    Idle(Instant),
    /// Now, because the request that began at this time is incomplete.
    Incomplete(Instant),
    /// After this time.
    Later(Duration),
}

impl Activity {
    fn eviction(self, now: Instant) -> Option<Eviction> {
        let (since, grace, due) = match self {
            Self::Idle(since) => (since, GRACE, Eviction::Idle(since)),
            Self::Receiving(since) => (since, UPLOAD_GRACE, Eviction::Incomplete(since)),
            Self::Processing => return None,
        };
        let left = grace.saturating_sub(now.saturating_duration_since(since));
        Some(if left.is_zero() { due } else { Eviction::Later(left) })
    }
}

/// Why a connection cannot be accepted now.
enum AcceptError {
    /// The address has too many connections.
    Address,
    /// All connections are in use. Try again after this time, or when one is free.
    All(Duration),
}

impl Slots {
    pub(super) fn new(limits: ConnectionLimits, counts: Arc<ConnectionCounts>) -> Arc<Self> {
        Arc::new(Self { limits, counts, state: Mutex::default(), freed: Notify::new() })
    }

    /// Waits for a slot, and evicts a connection if necessary: the one that has been idle longest, otherwise the one whose
    /// request has been incomplete longest. None if the address has too many connections.
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
            let now = Instant::now();
            let first = state.open.iter().filter_map(|(id, open)| Some((open.activity.eviction(now)?, *id))).min();
            if is_due(&mut state.warned_of_all) {
                let connections = self.limits.connections;
                tracing::warn!(
                    connections,
                    "all connections are in use; closing idle and slow ones. If they belong to users, raise \
                     limits.connections"
                );
            }
            match first {
                // Another one may become idle before.
                Some((Eviction::Later(wait), _)) => return Err(AcceptError::All(wait.min(GRACE))),
                None => return Err(AcceptError::All(GRACE)),
                Some((_, id)) => {
                    if let Some(open) = state.remove(id) {
                        self.counts.evicted.fetch_add(1, Ordering::Relaxed);
                        open.evicted.notify_one();
                    }
                }
            }
        }
        state.next += 1;
        let (id, evicted) = (state.next, Arc::new(Notify::new()));
        let open = Open { address, activity: Activity::Idle(Instant::now()), evicted: Arc::clone(&evicted) };
        state.open.insert(id, open);
        *state.by_address.entry(address).or_default() += 1;
        self.counts.open.swap(state.open.len() as u64, Ordering::Relaxed);
        drop(state);
        Ok(Slot { slots: Arc::clone(self), id, evicted })
    }

    fn cap(&self, address: IpAddr) -> usize {
        match () {
            () if self.trusts(address) => usize::MAX,
            // Anyone can send the header, and proxies that are not listed are usually near.
            () if is_near(address) && self.counts.forwarding_set().contains(&address) => {
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

/// Whether an address is of this machine or of a private network.
fn is_near(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => {
            // Such an address stands for its network of 64 bits, which is zero for that of the loopback address.
            network_of(address.into()) == network_of(Ipv6Addr::LOCALHOST.into())
                || address.is_unique_local()
                || address.is_unicast_link_local()
        }
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

    /// Marks the connection as busy until the returned value is dropped. It can be evicted until the request is complete.
    pub(super) fn busy(self: &Arc<Self>, is_complete: bool) -> ActiveRequest {
        self.set(if is_complete { Activity::Processing } else { Activity::Receiving(Instant::now()) });
        ActiveRequest(Arc::clone(self))
    }

    /// Records that the whole request was received.
    pub(super) fn received(&self) {
        self.set(Activity::Processing);
    }

    /// Records that the peer sent `X-Forwarded-For`.
    pub(super) fn forwards(&self, peer: IpAddr) {
        self.slots.forwards(peer);
    }

    #[cfg(test)]
    pub(super) fn is_receiving(&self) -> bool {
        self.slots.state().open.get(&self.id).is_some_and(|open| matches!(open.activity, Activity::Receiving(_)))
    }

    fn set(&self, activity: Activity) {
        if let Some(open) = self.slots.state().open.get_mut(&self.id) {
            open.activity = activity;
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
        self.0.set(Activity::Idle(Instant::now()));
    }
}

#[cfg(test)]
mod tests;
