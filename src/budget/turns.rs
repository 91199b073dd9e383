//! Turns for work that takes much memory.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result};

/// Turns for work that takes much memory. The weights of all running work do not exceed a total, of which one user has a share.
/// Users wait in order of arrival, each with at most their share.
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
    /// Allows work of the weight `total` at the same time, of which one user has `share`.
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

    /// Waits for a turn. Work that exceeds the share of a user waits until this user has no other turn. Work that exceeds the
    /// total waits until no user has a turn.
    pub async fn take(&self, user: U, weight: u32) -> Result<Turn> {
        let closed = |_| Error::internal("the server is stopping");
        let _waiting = Waiting::new(&self.waiting);
        let own = self.of(user).acquire_many_owned(weight.min(self.share)).await.map_err(closed)?;
        let all = Arc::clone(&self.all).acquire_many_owned(weight.min(self.total)).await.map_err(closed)?;
        Ok(Turn { _all: all, _own: own })
    }

    /// Weight of all turns.
    pub fn in_use(&self) -> usize {
        (self.total as usize).saturating_sub(self.all.available_permits())
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
}
