//! Slowing down whoever guesses: some attempts are free, each further one makes the next wait twice as long.
//!
//! Attempts are counted per address, per network, per account, and for browsers that have signed in to the account before;
//! each kind of attempt for itself. They are counted when they begin, so that a thousand at once are a thousand; one that
//! succeeds is taken back. A refused attempt neither counts nor makes the wait longer. All of it is in memory, bounded, and
//! forgotten after an hour without attempts. Time is monotonic: setting the system clock locks nobody out.
//!
//! No stranger can lock an owner out. What counts against an account is not asked about a browser that has signed in to
//! it before. And while strangers keep the account busy, an address that has not failed at it gets its first
//! attempts all the same: three of one address, six of one network in an hour, and for all addresses together twenty a minute.

mod pace;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use self::pace::Pace;
pub use self::pace::{Kind, Who};
use super::TokenHash;
use crate::{
    clock::{Clock, HOUR, SECOND},
    error::{Error, Result},
};

/// What is known of one of them.
#[derive(Debug, Clone, Copy)]
struct Entry {
    attempts: u32,
    /// When the last attempt was made, and when the next may be; milliseconds of the monotonic clock.
    last: i64,
    next: i64,
}

impl Entry {
    fn new(now: i64) -> Self {
        Self { attempts: 0, last: now, next: now }
    }
}

type Key = (Kind, Who);
type Entries = HashMap<Key, Entry>;

/// After this long without an attempt all is forgotten.
const FORGOTTEN_AFTER: i64 = HOUR;
/// How many are remembered: some 10 MiB. When there are more, those with the fewest attempts go.
const REMEMBERED: usize = 65_536;

/// Counts attempts.
#[derive(Debug)]
pub struct Throttle {
    clock: Clock,
    entries: Mutex<Entries>,
}

/// A sign-in from an address at an account, which may be let through although the account is busy.
struct NewAddress {
    account: Key,
    /// Counted with every attempt.
    pairs: [Key; 2],
    /// Counted for an attempt that is let through.
    allowance: Key,
}

impl NewAddress {
    fn of(kind: Kind, who: &[Who]) -> Option<Self> {
        let account = who.iter().find_map(|who| if let Who::Account(account) = who { Some(*account) } else { None })?;
        let address = who.iter().find_map(|who| if let Who::Address(address) = who { Some(*address) } else { None })?;
        // A second factor has few codes: nobody gets more of them by changing addresses.
        (kind == Kind::SignIn).then(|| Self::at(kind, account, address))
    }

    fn at(kind: Kind, account: TokenHash, address: IpAddr) -> Self {
        Self {
            account: (kind, Who::Account(account)),
            pairs: [
                (kind, Who::account_from_address(&account, address)),
                (kind, Who::account_from_network(&account, address)),
            ],
            allowance: (kind, Who::AccountFromNewAddresses(account)),
        }
    }
}

impl Throttle {
    /// One that has seen nothing.
    pub fn new(clock: Clock) -> Self {
        Self { clock, entries: Mutex::default() }
    }

    /// Counts an attempt against all of `who`, or refuses it with [`Error::RateLimited`] when one of them must wait.
    /// An address stands for its network too.
    pub fn attempt(&self, kind: Kind, who: impl IntoIterator<Item = Who>) -> Result<Attempt<'_>> {
        let now = self.clock.monotonic();
        let mut entries = self.entries();
        let who: Vec<Who> = who.into_iter().collect();
        let new_address = NewAddress::of(kind, &who);
        let networks = who.iter().filter_map(|who| match who {
            Who::Address(address) => Some((kind, Who::network(*address))),
            _ => None,
        });
        let networks: Vec<Key> = networks.collect();
        let mut keys: Vec<Key> = who.into_iter().map(|who| (kind, who)).chain(networks).collect();
        let next = next_of(&entries, &keys);
        if next > now {
            let refused = Error::RateLimited { retry_after: seconds(next - now) };
            let Some(new) = &new_address else { return Err(refused) };
            keys.retain(|key| *key != new.account);
            keys.push(new.allowance);
            if next_of(&entries, &keys).max(next_of(&entries, &new.pairs)) > now {
                return Err(refused);
            }
        }
        keys.extend(new_address.iter().flat_map(|new| new.pairs));
        make_room(&mut entries, keys.len(), now);
        for key in &keys {
            let (entry, pace) = (entries.entry(*key).or_insert(Entry::new(now)), Pace::of(key.0, key.1));
            let (regained, rest) = pace.regained(now - entry.last);
            let before = if entry.last + FORGOTTEN_AFTER <= now { 0 } else { entry.attempts.saturating_sub(regained) };
            entry.attempts = before.saturating_add(1);
            entry.last = now - rest;
            entry.next = now + pace.wait(entry.attempts);
        }
        drop(entries);
        Ok(Attempt { throttle: self, keys })
    }

    /// Forgets what counts against `who`.
    pub fn lift(&self, kind: Kind, who: Who) {
        self.entries().remove(&(kind, who));
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        // Counting cannot panic half-way.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When the last of `keys` may try again.
fn next_of(entries: &Entries, keys: &[Key]) -> i64 {
    keys.iter().filter_map(|key| entries.get(key)).map(|entry| entry.next).max().unwrap_or_default()
}

/// Rounded up: a client that comes back when told to is not told to wait again.
fn seconds(milliseconds: i64) -> Duration {
    Duration::from_secs(u64::try_from(milliseconds).unwrap_or_default().div_ceil(SECOND.unsigned_abs()))
}

/// An attempt that was counted, and stays so unless it succeeds.
#[derive(Debug)]
pub struct Attempt<'t> {
    throttle: &'t Throttle,
    keys: Vec<Key>,
}

impl Attempt<'_> {
    /// Forgets what counts against the account and the browser. Against an address only this one attempt is taken
    /// back: otherwise a guesser would sign in to an account of their own between two guesses.
    pub fn succeeded(self) {
        let mut entries = self.throttle.entries();
        for key in self.keys {
            match key.1 {
                Who::Account(_) | Who::Device(_) => drop(entries.remove(&key)),
                _ => {
                    if let Some(entry) = entries.get_mut(&key) {
                        entry.attempts = entry.attempts.saturating_sub(1);
                        entry.next = entry.last + Pace::of(key.0, key.1).wait(entry.attempts);
                    }
                }
            }
        }
    }
}

/// Makes room for `more` entries: first what is forgotten goes, then a quarter, of those with the fewest attempts.
fn make_room(entries: &mut Entries, more: usize, now: i64) {
    if entries.len() + more <= REMEMBERED {
        return;
    }
    entries.retain(|_, entry| entry.last + FORGOTTEN_AFTER > now);
    if entries.len() + more > REMEMBERED {
        let mut order: Vec<_> = entries.iter().map(|(key, entry)| (entry.attempts, entry.last, *key)).collect();
        order.sort_unstable_by_key(|(attempts, last, _)| (*attempts, *last));
        for (_, _, key) in &order[..REMEMBERED / 4] {
            entries.remove(key);
        }
    }
}
