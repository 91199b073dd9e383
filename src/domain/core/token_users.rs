//! A cache of the users of access tokens, for scheduling.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::auth::TokenHash;

/// Maximum number of cached tokens. A token never changes its user, so entries never become stale.
const MAX_CACHED_TOKENS: usize = 10_000;

/// Users of tokens that were looked up before.
#[derive(Debug, Default)]
pub(super) struct TokenUsers(Mutex<HashMap<TokenHash, i64>>);

impl TokenUsers {
    pub(super) fn get(&self, hash: &TokenHash) -> Option<i64> {
        self.users().get(hash).copied()
    }

    pub(super) fn insert(&self, hash: TokenHash, user_id: i64) {
        let mut users = self.users();
        if users.len() >= MAX_CACHED_TOKENS {
            users.clear();
        }
        users.insert(hash, user_id);
    }

    fn users(&self) -> MutexGuard<'_, HashMap<TokenHash, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
