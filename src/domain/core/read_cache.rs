//! Results of reads that are kept until the database changes.
//!
//! A read that is repeated while nothing was committed has the same result, and so has its permission check. A result is
//! therefore used again, without a transaction, as long as SQLite reports no commit. A revoked token or a removed member
//! is rejected on the next request, as without this cache.

use std::{fmt, hash::Hash, marker::PhantomData};

use quick_cache::sync::Cache;

use super::{
    access::Access,
    call::{Call, Via},
    caller::Caller,
};
use crate::auth::{Credential, TokenHash};

/// Maximum number of results of a cache.
const MAX_RESULTS: usize = 2_000;
/// Maximum age of a result in milliseconds, so that the time of last use of a credential is recorded.
const MAX_AGE: i64 = 1_000;

/// Results `T` of reads with the permission `A`, by credential, scope and `K`.
pub(in crate::domain) struct ReadCache<A: Access, K, T>(pub(super) Results<(A::Scope, K), T>, PhantomData<fn() -> A>)
where
    A::Scope: Eq + Hash;

impl<A: Access, K: Eq + Hash, T: Clone> Default for ReadCache<A, K, T>
where
    A::Scope: Eq + Hash,
{
    fn default() -> Self {
        Self(Results::default(), PhantomData)
    }
}

impl<A: Access, K, T> fmt::Debug for ReadCache<A, K, T>
where
    A::Scope: Eq + Hash,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadCache").finish_non_exhaustive()
    }
}

/// The callers of credentials.
#[derive(Default)]
pub(super) struct CallerCache(pub(super) Results<(), Caller>);

impl fmt::Debug for CallerCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallerCache").finish_non_exhaustive()
    }
}

/// A caller, an interface, and what is read.
pub(super) type Slot<K> = (CredentialKey, Via, K);

/// Results of reads.
pub(super) struct Results<K, T>(Cache<Slot<K>, CachedResult<T>>);

impl<K: Eq + Hash, T: Clone> Default for Results<K, T> {
    fn default() -> Self {
        Self(Cache::new(MAX_RESULTS))
    }
}

impl<K: Eq + Hash, T: Clone> Results<K, T> {
    /// The place of the result of `call`. None if it is not cached.
    pub(super) fn slot(call: &Call, what: K) -> Option<Slot<K>> {
        Some((CredentialKey::of(call.credential.as_ref()?)?, call.via, what))
    }

    /// The result, if it is valid for this version of the database at the time `now`.
    pub(super) fn get(&self, slot: &Slot<K>, version: i64, now: i64) -> Option<T> {
        let found = self.0.get(slot)?;
        let (since, until) = found.valid;
        (found.version == version && (since..until).contains(&now)).then_some(found.result)
    }

    pub(super) fn insert(&self, slot: Slot<K>, result: CachedResult<T>) {
        self.0.insert(slot, result);
    }
}

/// What the result of a permission check depends on besides the database.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum CredentialKey {
    Token(TokenHash),
    Session { id: i64, user: String, organization: Option<String> },
}

impl CredentialKey {
    fn of(credential: &Credential) -> Option<Self> {
        match credential {
            Credential::Pat(hash) | Credential::Mcp(hash) => Some(Self::Token(*hash)),
            Credential::Session(claims) => {
                Some(Self::Session { id: claims.sid, user: claims.sub.clone(), organization: claims.org_id.clone() })
            }
            Credential::External(_) | Credential::Operator { .. } => None,
        }
    }
}

/// A result, and when it is valid.
#[derive(Debug, Clone)]
pub(super) struct CachedResult<T> {
    pub(super) result: T,
    version: i64,
    /// Time of the read, and time at which the result ends, in Unix milliseconds.
    valid: (i64, i64),
}

impl<T> CachedResult<T> {
    /// The result of a read by `caller` at the time `now`. `version` is that of the database before the transaction.
    pub(super) fn new(result: T, caller: &Caller, version: i64, now: i64) -> Self {
        let until = caller.expires_at.unwrap_or(i64::MAX).min(now + MAX_AGE);
        Self { result, version, valid: (now, until) }
    }
}
