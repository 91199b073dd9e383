//! Rate limits for sign-in and similar attempts: some attempts are free, then each attempt doubles the wait.
//!
//! Attempts are counted per address, per network, per account and for browsers that have signed in to the account
//! before, separately for each kind of attempt. They are counted when they begin, so that concurrent attempts cannot
//! bypass the limit; a successful attempt is subtracted again. A rejected attempt is not counted and does not extend
//! the wait. Counters are in memory, bounded, and expire after an hour without attempts. Time is monotonic: changing
//! the system clock locks no user out.
//!
//! An attacker cannot lock an owner out of browsers that have signed in to the account before: they are exempt from the
//! limit of the account. While the account is limited, an address without failed attempts at it still gets its first
//! attempts: three per address and six per network in an hour, and twenty per minute for all addresses together. When
//! these are used up, too, each large network has a few more, so that attackers who own many addresses lock out only
//! those parts of the Internet that they attack from.
//!
//! The same rules apply to share links with a password, and to browsers that have opened such a link before.

mod limits;
mod tallies;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use self::limits::Limit;
pub use self::{
    limits::{AttemptKind, LimitKey},
    tallies::Tallies,
};
use super::TokenHash;
use crate::{
    clock::{Clock, HOUR, SECOND},
    error::{Error, Result},
};

/// The counter of a key.
#[derive(Debug, Clone, Copy)]
struct Counter {
    attempts: u32,
    /// Times of the last attempt and of the next allowed one, in milliseconds of the monotonic clock.
    last: i64,
    next: i64,
}

impl Counter {
    fn new(now: i64) -> Self {
        Self { attempts: 0, last: now, next: now }
    }
}

type CounterKey = (AttemptKind, LimitKey);
type Counters = HashMap<CounterKey, Counter>;

/// A counter expires after this time without an attempt, in milliseconds.
const COUNTER_LIFETIME: i64 = HOUR;
/// Maximum number of counters, about 10 MiB. Beyond it, those with the fewest attempts are dropped.
const MAX_COUNTERS: usize = 65_536;

/// Counts attempts.
#[derive(Debug)]
pub struct Throttle {
    clock: Clock,
    counters: Mutex<Counters>,
    tallies: Tallies,
}

/// An attempt from an address at an account or share link. It may be allowed although the account or link is limited.
struct NewAddress {
    account: CounterKey,
    /// Counted for every attempt.
    pairs: [CounterKey; 2],
    /// Of these, the first that allows an attempt by exception is counted.
    exceptions: [CounterKey; 2],
}

impl NewAddress {
    fn of(kind: AttemptKind, who: &[LimitKey]) -> Option<Self> {
        let account =
            who.iter().find_map(|who| if let LimitKey::Account(account) = who { Some(*account) } else { None })?;
        let address =
            who.iter().find_map(|who| if let LimitKey::Address(address) = who { Some(*address) } else { None })?;
        // Two-factor codes are short: changing addresses must not give more attempts.
        matches!(kind, AttemptKind::SignIn | AttemptKind::ShareUnlock).then(|| Self::at(kind, account, address))
    }

    fn at(kind: AttemptKind, account: TokenHash, address: IpAddr) -> Self {
        Self {
            account: (kind, LimitKey::Account(account)),
            pairs: [
                (kind, LimitKey::account_from_address(&account, address)),
                (kind, LimitKey::account_from_network(&account, address)),
            ],
            exceptions: [
                (kind, LimitKey::AccountFromNewAddresses(account)),
                (kind, LimitKey::account_from_large_network(&account, address)),
            ],
        }
    }
}

impl Throttle {
    /// Creates an empty throttle.
    pub fn new(clock: Clock) -> Self {
        Self { clock, counters: Mutex::default(), tallies: Tallies::default() }
    }

    /// Counts an attempt for all of `who`, or rejects it with [`Error::RateLimited`] if any of them must wait. An
    /// address also counts for its network.
    pub fn attempt(&self, kind: AttemptKind, who: impl IntoIterator<Item = LimitKey>) -> Result<Attempt<'_>> {
        let now = self.clock.monotonic();
        let mut counters = self.counters();
        let who: Vec<LimitKey> = who.into_iter().collect();
        let new_address = NewAddress::of(kind, &who);
        let networks = who.iter().filter_map(|who| match who {
            LimitKey::Address(address) => Some((kind, LimitKey::network(*address))),
            _ => None,
        });
        let networks: Vec<CounterKey> = networks.collect();
        let mut keys: Vec<CounterKey> = who.into_iter().map(|who| (kind, who)).chain(networks).collect();
        let next = next_of(&counters, &keys);
        if next > now {
            let refused = Error::RateLimited { retry_after: seconds(next - now) };
            let Some(new) = &new_address else {
                self.tallies.rejected(kind);
                return Err(refused);
            };
            keys.retain(|key| *key != new.account);
            let is_free = |keys: &[CounterKey]| next_of(&counters, keys) <= now;
            let exception = new.exceptions.into_iter().find(|exception| is_free(&[*exception]));
            let Some(exception) = exception.filter(|_| is_free(&keys) && is_free(&new.pairs)) else {
                self.tallies.rejected(kind);
                return Err(refused);
            };
            keys.push(exception);
        }
        keys.extend(new_address.iter().flat_map(|new| new.pairs));
        make_room(&mut counters, keys.len(), now);
        for key in &keys {
            let (counter, pace) = (counters.entry(*key).or_insert(Counter::new(now)), Limit::of(key.0, key.1));
            let (regained, rest) = pace.regained(now - counter.last);
            let before =
                if counter.last + COUNTER_LIFETIME <= now { 0 } else { counter.attempts.saturating_sub(regained) };
            counter.attempts = before.saturating_add(1);
            counter.last = now - rest;
            counter.next = now + pace.wait(counter.attempts);
        }
        drop(counters);
        Ok(Attempt { throttle: self, kind, keys, has_succeeded: false })
    }

    /// Clears the counter of `who`.
    pub fn clear(&self, kind: AttemptKind, who: LimitKey) {
        self.counters().remove(&(kind, who));
    }

    /// How many attempts failed and were rejected since the start.
    pub fn tallies(&self) -> &Tallies {
        &self.tallies
    }

    fn counters(&self) -> MutexGuard<'_, Counters> {
        // Counting cannot panic half-way, so a poisoned lock is harmless.
        self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When all of `keys` may try again.
fn next_of(counters: &Counters, keys: &[CounterKey]) -> i64 {
    keys.iter().filter_map(|key| counters.get(key)).map(|counter| counter.next).max().unwrap_or_default()
}

/// Rounds up to whole seconds, so that a client that waits as long as requested is not rejected again.
fn seconds(milliseconds: i64) -> Duration {
    Duration::from_secs(u64::try_from(milliseconds).unwrap_or_default().div_ceil(SECOND.unsigned_abs()))
}

/// A counted attempt. It stays counted unless it succeeds.
#[derive(Debug)]
pub struct Attempt<'t> {
    throttle: &'t Throttle,
    kind: AttemptKind,
    keys: Vec<CounterKey>,
    has_succeeded: bool,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if !self.has_succeeded {
            self.throttle.tallies.failed(self.kind);
        }
    }
}

impl Attempt<'_> {
    /// Clears the counters of the account and the browser. For an address only this attempt is subtracted: otherwise an
    /// attacker could reset the counter by signing in to an account of their own between two guesses.
    pub fn succeeded(mut self) {
        self.has_succeeded = true;
        let mut counters = self.throttle.counters();
        for key in std::mem::take(&mut self.keys) {
            match key.1 {
                LimitKey::Account(_) | LimitKey::Device(_) => drop(counters.remove(&key)),
                _ => subtract(&mut counters, &key),
            }
        }
    }

    /// Subtracts this attempt from all counters, because nothing was done.
    pub fn withdraw(mut self) {
        self.has_succeeded = true;
        let mut counters = self.throttle.counters();
        for key in std::mem::take(&mut self.keys) {
            subtract(&mut counters, &key);
        }
    }
}

fn subtract(counters: &mut Counters, key: &CounterKey) {
    if let Some(counter) = counters.get_mut(key) {
        counter.attempts = counter.attempts.saturating_sub(1);
        counter.next = counter.last + Limit::of(key.0, key.1).wait(counter.attempts);
    }
}

/// Makes space for `more` counters: first drops expired ones, then the quarter with the fewest attempts.
fn make_room(counters: &mut Counters, more: usize, now: i64) {
    if counters.len() + more <= MAX_COUNTERS {
        return;
    }
    counters.retain(|_, counter| counter.last + COUNTER_LIFETIME > now);
    if counters.len() + more > MAX_COUNTERS {
        let mut order: Vec<_> = counters.iter().map(|(key, counter)| (counter.attempts, counter.last, *key)).collect();
        order.sort_unstable_by_key(|(attempts, last, _)| (*attempts, *last));
        for (_, _, key) in &order[..MAX_COUNTERS / 4] {
            counters.remove(key);
        }
    }
}
