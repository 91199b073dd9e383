//! Admission of requests that read or draw maps for readers of share links: a few at the same time, others wait for a short
//! time, and equal requests do the work once.
//!
//! One link or one address can have at most half of the places, and run at most half of what runs, so that the readers of
//! other links are served at the same time.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout_at},
};

use crate::{
    budget::network_of,
    error::{Error, Result},
};

/// Maximum number of requests that read or draw at the same time.
const MAX_RUNNING: usize = 4;
/// Maximum number of requests that wait for that. Further ones are rejected with [`Error::Busy`].
const MAX_WAITING: usize = 16;
/// Maximum number of equal requests that wait for the first of them.
const MAX_EQUAL: usize = 512;
/// How long a request waits.
const MAX_WAIT: Duration = Duration::from_secs(10);

type Turn = tokio::sync::Mutex<()>;

/// Admits requests. Clones share the places.
#[derive(Debug, Clone)]
pub(super) struct Admission(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    running: Arc<Semaphore>,
    lines: Mutex<HashMap<Line, Places>>,
    turns: Mutex<HashMap<String, Weak<Turn>>>,
}

/// What shares a limit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Line {
    All,
    Link(String),
    Address(IpAddr),
}

/// The places that are taken in a line.
#[derive(Debug)]
struct Places {
    taken: usize,
    running: Arc<Semaphore>,
}

/// The right to make the content with a tag, which no other request has at the same time.
#[derive(Debug)]
pub(super) struct ContentTurn {
    admission: Admission,
    tag: String,
    deadline: Instant,
    guard: Option<OwnedMutexGuard<()>>,
}

/// The right to read and draw. Given back when it is dropped.
#[derive(Debug)]
pub(super) struct Slot {
    _permits: [OwnedSemaphorePermit; 3],
    _place: Place,
}

/// A place in several lines.
#[derive(Debug)]
struct Place {
    admission: Admission,
    lines: [Line; 3],
}

impl Admission {
    pub(super) fn new() -> Self {
        let running = Arc::new(Semaphore::new(MAX_RUNNING));
        Self(Arc::new(Inner { running, lines: Mutex::default(), turns: Mutex::default() }))
    }

    /// Waits until no other request makes the content with this tag. Look in the cache after that.
    ///
    /// # Errors
    /// [`Error::Busy`] if it takes too long or too many wait.
    pub(super) async fn turn(&self, tag: &str) -> Result<ContentTurn> {
        let deadline = Instant::now() + MAX_WAIT;
        let turn = {
            let mut turns = guard(&self.0.turns);
            let known = turns.get(tag).and_then(Weak::upgrade);
            let turn = known.unwrap_or_else(|| {
                let turn = Arc::new(Turn::default());
                turns.insert(tag.to_owned(), Arc::downgrade(&turn));
                turn
            });
            if Arc::strong_count(&turn) > MAX_EQUAL {
                return Err(Error::Busy);
            }
            turn
        };
        // Made first, so that the entry is removed also if the client disconnects while it waits.
        let mut mine = ContentTurn { admission: self.clone(), tag: tag.to_owned(), deadline, guard: None };
        mine.guard = Some(timeout_at(deadline, turn.lock_owned()).await.map_err(|_| Error::Busy)?);
        Ok(mine)
    }

    /// Takes a place in the lines of all requests, of the link and of the address.
    fn place(&self, link_id: &str, address: IpAddr) -> Result<(Place, [Arc<Semaphore>; 2])> {
        let lines = [Line::All, Line::Link(link_id.to_owned()), Line::Address(network_of(address))];
        let mut places = guard(&self.0.lines);
        for line in &lines {
            let most = MAX_RUNNING + MAX_WAITING;
            let most = if *line == Line::All { most } else { most / 2 };
            if places.get(line).is_some_and(|places| places.taken >= most) {
                return Err(Error::Busy);
            }
        }
        let mut take = |line: &Line| {
            let running = || Arc::new(Semaphore::new(MAX_RUNNING / 2));
            let places = places.entry(line.clone()).or_insert_with(|| Places { taken: 0, running: running() });
            places.taken += 1;
            Arc::clone(&places.running)
        };
        let [_, link, address] = [take(&lines[0]), take(&lines[1]), take(&lines[2])];
        Ok((Place { admission: self.clone(), lines }, [address, link]))
    }
}

impl ContentTurn {
    /// Waits until the request may read and draw.
    ///
    /// # Errors
    /// [`Error::Busy`] if it takes too long or too many wait.
    pub(super) async fn slot(&self, link_id: &str, address: IpAddr) -> Result<Slot> {
        let (place, [of_address, of_link]) = self.admission.place(link_id, address)?;
        // In this order, an address takes few places in the line of a link, and a link few in that of all.
        let permits = async {
            Ok::<_, tokio::sync::AcquireError>([
                of_address.acquire_owned().await?,
                of_link.acquire_owned().await?,
                Arc::clone(&self.admission.0.running).acquire_owned().await?,
            ])
        };
        let permits = timeout_at(self.deadline, permits).await.map_err(|_| Error::Busy)?;
        Ok(Slot { _permits: permits.map_err(|_| Error::Busy)?, _place: place })
    }
}

impl Drop for ContentTurn {
    fn drop(&mut self) {
        drop(self.guard.take());
        let mut turns = guard(&self.admission.0.turns);
        if turns.get(&self.tag).is_some_and(|turn| turn.strong_count() == 0) {
            turns.remove(&self.tag);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut places = guard(&self.admission.0.lines);
        for line in &self.lines {
            if let Some(of_line) = places.get_mut(line) {
                of_line.taken -= 1;
                if of_line.taken == 0 {
                    places.remove(line);
                }
            }
        }
    }
}

fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No code in this module panics in the middle of a change.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use super::*;

    const ANN: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const BOB: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    /// A request that keeps its slot until `end` has permits.
    async fn occupied(admission: Admission, tag: String, link: &str, address: IpAddr, end: Arc<Semaphore>) -> bool {
        let turn = admission.turn(&tag).await.unwrap();
        let Ok(_slot) = turn.slot(link, address).await else { return false };
        drop(end.acquire().await);
        true
    }

    #[tokio::test(start_paused = true)]
    async fn one_link_or_address_takes_half_of_the_places_and_another_is_served_meanwhile() {
        for (links, addresses) in [(["a"; 2], [ANN, BOB]), (["a", "b"], [ANN; 2])] {
            let admission = Admission::new();
            let end = Arc::new(Semaphore::new(0));
            let many = (0..30).map(|n: usize| {
                let (link, address) = (links[n % links.len()], addresses[n % addresses.len()]);
                occupied(admission.clone(), n.to_string(), link, address, Arc::clone(&end))
            });
            let other = async {
                tokio::task::yield_now().await;
                let turn = admission.turn("other").await.unwrap();
                let slot = turn.slot("other", IpAddr::V4(std::net::Ipv4Addr::LOCALHOST)).await;
                assert!(slot.is_ok(), "another link is served before the end");
                end.add_permits(100);
            };
            let (admitted, ()) = tokio::join!(join_all(many), other);
            assert_eq!(admitted.iter().filter(|admitted| **admitted).count(), 10);
            assert!(guard(&admission.0.lines).is_empty() && guard(&admission.0.turns).is_empty());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn equal_requests_wait_for_each_other_and_not_longer_than_allowed() {
        let admission = Admission::new();
        let first = admission.turn("tag").await.unwrap();
        assert!(matches!(admission.turn("tag").await, Err(Error::Busy)), "after a while");
        let waiting = admission.turn("tag");
        let done = async { drop(first) };
        assert!(tokio::join!(waiting, done).0.is_ok());
        assert!(guard(&admission.0.turns).is_empty());
    }
}
