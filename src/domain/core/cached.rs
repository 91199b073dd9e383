//! How the gate reads through a [`ReadCache`].

use std::hash::Hash;

use super::{
    access::{Access, sealed::Transaction},
    call::Call,
    caller::Caller,
    gate::Gate,
    read_cache::{CachedResult, ReadCache, Results},
    state::Core,
};
use crate::{db::ReadPool, error::Result};

impl Gate {
    /// Returns the caller without doing anything else.
    pub async fn admit<A>(&self, call: Call<A>) -> Result<Caller> {
        self.cached(&self.callers.0, ReadPool::Identity, call.untyped(), (), |core| core.caller().cloned()).await
    }

    /// Like [`Gate::read`], for a small result that depends only on the caller, `scope`, `key` and the database.
    pub(in crate::domain) async fn cached_read<A, K, T, F>(
        &self,
        cache: &ReadCache<A, K, T>,
        call: Call<A>,
        scope: A::Scope,
        key: K,
        work: F,
    ) -> Result<T>
    where
        A: Access,
        A::Scope: Clone + Eq + Hash,
        K: Eq + Hash,
        F: for<'t, 'c> FnOnce(&'t A::Tx<'c>) -> Result<T> + Send + 'static,
        T: Clone + Send + 'static,
    {
        let what = (scope.clone(), key);
        let work = move |core: &Core<'_>| work(&A::open(Transaction(core), &scope)?);
        self.cached(&cache.0, ReadPool::Point, call.untyped(), what, work).await
    }

    async fn cached<K, T, F>(&self, results: &Results<K, T>, pool: ReadPool, call: Call, what: K, work: F) -> Result<T>
    where
        K: Eq + Hash,
        F: FnOnce(&Core<'_>) -> Result<T> + Send + 'static,
        T: Clone + Send + 'static,
    {
        // Before the transaction, so that a commit in between makes the result invalid.
        let version = self.db.version();
        let Some((slot, version)) = Results::<K, T>::slot(&call, what).zip(version) else {
            return self.read_on(pool, call, work).await;
        };
        if let Some(result) = results.get(&slot, version, self.now()) {
            return Ok(result);
        }
        let read = move |core: &Core<'_>| {
            let result = work(core)?;
            Ok(CachedResult::new(result, core.caller()?, version, core.now))
        };
        let read = self.read_on(pool, call, read).await?;
        let result = read.result.clone();
        results.insert(slot, read);
        Ok(result)
    }
}
