//! Memory for jobs that hold all rows of a map, such as comparisons and merges, and for reading files.
//!
//! Such a job takes many times the memory of its response. Jobs wait for their turn, so that their weights do not add up to
//! more than the memory for such jobs. Functions that read a whole map require a [`WholeMap`], which only
//! [`Gate::whole_map`](super::Gate::whole_map) returns, so no route can forget to wait.

use std::sync::Arc;

use crate::{
    budget::{PATIENCE, Turn, Turns},
    error::{Error, Result},
    schedule::QueueKey,
};

/// Memory for all jobs in bytes, unless the configuration sets it.
const DEFAULT_MEMORY: usize = 128 << 20;
/// Jobs up to this weight in bytes do not wait.
const UNQUEUED: usize = 2 << 20;
/// One user can use this part of the memory.
const SHARES: u32 = 4;

/// Memory for a job over whole maps. Clones share it, and the last clone releases it: keep one until the rows are dropped.
#[derive(Debug, Clone)]
pub struct WholeMap {
    _turn: Option<Arc<Turn>>,
}

impl WholeMap {
    /// For a workspace that is created from a file of the server itself. Such files are small, and the workspace has no rows yet.
    pub(in crate::domain) fn of_new_workspace() -> Self {
        Self { _turn: None }
    }
}

/// The memory for all jobs. Weights of turns are in KiB.
#[derive(Debug)]
pub(super) struct WholeMaps(Turns<QueueKey>);

impl Default for WholeMaps {
    fn default() -> Self {
        Self::new(DEFAULT_MEMORY)
    }
}

impl WholeMaps {
    /// Allows jobs that together weigh at most `bytes`.
    pub(super) fn new(bytes: usize) -> Self {
        let total = kib(bytes);
        Self(Turns::new(total, total / SHARES))
    }

    /// Waits for memory for a job over whole maps. See [`Self::turn`].
    pub(super) async fn room(&self, user: QueueKey, bytes: usize) -> Result<WholeMap> {
        Ok(WholeMap { _turn: self.turn(user, bytes).await?.map(Arc::new) })
    }

    /// Waits for the turn of a job of a user that weighs `bytes`. Returns `None` if the job is so small that it needs no turn.
    ///
    /// # Errors
    /// [`Error::Busy`] if it takes too long.
    pub(super) async fn turn(&self, user: QueueKey, bytes: usize) -> Result<Option<Turn>> {
        if bytes <= UNQUEUED {
            return Ok(None);
        }
        let turn = tokio::time::timeout(PATIENCE, self.0.take(user, kib(bytes))).await.map_err(|_| Error::Busy)?;
        turn.map(Some)
    }

    /// Weight of the running jobs in bytes.
    pub(super) fn in_use(&self) -> usize {
        self.0.in_use() << 10
    }

    /// Number of jobs that wait.
    pub(super) fn waiting(&self) -> usize {
        self.0.waiting()
    }
}

fn kib(bytes: usize) -> u32 {
    u32::try_from(bytes >> 10).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: QueueKey = QueueKey::User(1);
    const BOB: QueueKey = QueueKey::User(2);

    #[tokio::test(start_paused = true)]
    async fn a_small_job_never_waits_and_a_large_one_not_forever() {
        let maps = WholeMaps::new(8 << 20);
        let largest = maps.room(ADA, usize::MAX).await.unwrap();
        maps.room(BOB, UNQUEUED).await.unwrap();
        assert!(matches!(maps.room(BOB, UNQUEUED + 1).await, Err(Error::Busy)));
        drop(largest);
        maps.room(BOB, UNQUEUED + 1).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn clones_share_the_room_until_the_last_one_is_dropped() {
        let maps = WholeMaps::new(8 << 20);
        let first = maps.room(ADA, usize::MAX).await.unwrap();
        let second = first.clone();
        drop(first);
        assert!(matches!(maps.room(BOB, usize::MAX).await, Err(Error::Busy)));
        drop(second);
        maps.room(BOB, usize::MAX).await.unwrap();
    }

    #[test]
    fn weights_are_counted_in_kib_and_cannot_overflow() {
        assert_eq!(kib(UNQUEUED), 2_048);
        assert!(kib(usize::MAX) >= kib(1 << 40));
    }
}
