//! Weighs jobs that need much memory. They wait until the memory is available.

use std::sync::Arc;

use super::{
    access::{Access, sealed::Transaction},
    call::Call,
    gate::Gate,
    handles::{Reads, ViewTx},
    state::Core,
    store,
    whole_maps::{WholeMap, WholeMaps},
};
use crate::{bodies::BodyReservation, budget::Turn, db::ReadPool, error::Result, schedule};

/// Memory for a parsed body, as a multiple of its size.
const BODY_FACTOR: usize = 4;

impl Gate {
    /// Sets the memory for these jobs in bytes, of which one user can use a quarter. One job can always run.
    #[must_use]
    pub fn with_map_memory(self, bytes: usize) -> Self {
        Self { whole_maps: Arc::new(WholeMaps::new(bytes)), ..self }
    }

    /// Waits for memory for a job over whole maps with the permission `A`, which is checked first. `weigh` estimates the memory of
    /// the job in bytes, without its body.
    ///
    /// # Errors
    /// [`Error::Busy`](crate::error::Error::Busy) if it takes too long.
    pub async fn whole_map<A, F>(&self, call: &Call<A>, scope: A::Scope, weigh: F) -> Result<WholeMap>
    where
        A: Access,
        F: for<'t, 'c> FnOnce(&'t A::Tx<'c>) -> Result<usize> + Send + 'static,
    {
        let call = call.clone().untyped();
        let weigh = move |core: &Core<'_>| weigh(&A::open(Transaction(core), &scope)?);
        let weight = self.read_on(ReadPool::Point, call.clone(), weigh).await?;
        self.room(&call, weight).await
    }

    async fn room(&self, call: &Call, weight: usize) -> Result<WholeMap> {
        let body = call.body_reservation.as_ref().map_or(0, BodyReservation::bytes);
        let user = self.requester(call).await.key;
        self.whole_maps.room(user, weight.saturating_add(body.saturating_mul(BODY_FACTOR))).await
    }

    /// Waits for `bytes` of memory for work without data access, in the queue of the current [`schedule::scope`]. Keep the turn
    /// until the memory is free.
    ///
    /// # Errors
    /// [`Error::Busy`](crate::error::Error::Busy) if it takes too long.
    pub async fn memory(&self, bytes: usize) -> Result<Option<Turn>> {
        self.whole_maps.turn(schedule::current(), bytes).await
    }

    /// Number of jobs that wait for memory.
    pub fn waiting_for_memory(&self) -> usize {
        self.whole_maps.waiting()
    }

    /// Memory of running jobs in bytes.
    pub fn memory_in_use(&self) -> usize {
        self.whole_maps.in_use()
    }
}

impl ViewTx<'_> {
    /// Memory for one copy of all rows of the map, in bytes.
    pub(in crate::domain) fn weight(&self) -> Result<usize> {
        store::weights::of_map(self.core().conn, self.pk())
    }

    /// Like [`Self::weight`], if at most the first `bytes` of each description are read.
    pub(in crate::domain) fn weight_abridged(&self, bytes: usize) -> Result<usize> {
        store::weights::of_drawn(self.core().conn, self.pk(), bytes)
    }

    /// Memory for the rows as they were before the changes after `revision`, in bytes, in addition to [`Self::weight`].
    pub(in crate::domain) fn weight_since(&self, revision: i64) -> Result<usize> {
        store::weights::of_changes_after(self.core().conn, self.pk(), revision)
    }

    /// Memory for the rows of the log with one of these change sets or labels, in bytes.
    pub(in crate::domain) fn weight_of_change_set(&self, id: &str) -> Result<usize> {
        store::weights::of_change_set(self.core().conn, self.pk(), id)
    }
}
