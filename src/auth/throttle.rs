//! Slowing down whoever guesses: some attempts are free, each further one makes the next wait twice as long.
//!
//! Attempts are counted per address, per account and per browser that has signed in to the account before, each kind of
//! attempt for itself. They are counted when they begin, so that a thousand at once are a thousand; one that succeeds
//! is taken back. A refused attempt neither counts nor makes the wait longer. All of it is in memory, bounded, and
//! forgotten after an hour without attempts.
//!
//! No stranger can lock an owner out: what counts against an account is never asked about a browser that has signed in
//! to it before, and makes nobody else wait longer than 30 s.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::{TokenHash, tokens};
use crate::{
    clock::{Clock, HOUR, MINUTE, SECOND},
    error::{Error, Result},
};

/// What is attempted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Signing in with a password.
    SignIn,
    /// Answering with a second factor: whoever gets here knows the password.
    SecondFactor,
    /// Making the first account.
    SetUp,
    /// Taking up an invitation.
    Invitation,
    /// Asking to be put on the waitlist.
    Waitlist,
    /// Minting a token.
    Token,
    /// Giving one's password again to do something that needs it.
    Password,
    /// Registering a program.
    Registration,
    /// Sending a browser to ask for consent.
    Consent,
    /// Exchanging a code or a refresh token of a program.
    Exchange,
    /// Coming back from the identity provider.
    Provider,
}

/// Whom an attempt counts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Who {
    /// Where it comes from. Of an IPv6 address the first 64 bits: the rest is for whoever has them to choose.
    Address(IpAddr),
    /// Whose account it is about.
    Account(TokenHash),
    /// A browser that has signed in to the account before.
    Device(TokenHash),
}

impl Who {
    /// An address.
    pub fn address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
            v4 @ IpAddr::V4(_) => v4,
        })
    }

    /// An account by what was typed as its login, whether there is one or not.
    pub fn login(login: &str) -> Self {
        Self::Account(tokens::hash(&format!("login {}", login.trim().to_lowercase())))
    }

    /// An account that is known.
    pub fn user(user_id: i64) -> Self {
        Self::Account(tokens::hash(&format!("user {user_id}")))
    }

    /// A browser, by the cookie that it was given when it signed in.
    pub fn device(cookie: &str) -> Self {
        Self::Device(tokens::hash(cookie))
    }
}

/// How many attempts are free, and how long the wait grows, in milliseconds.
struct Pace {
    free: u32,
    longest: i64,
}

impl Pace {
    fn of(kind: Kind, who: Who) -> Self {
        let (free, longest) = match (kind, who) {
            (Kind::Token, _) => (30, MINUTE),
            // Behind one address there may be a whole office, on the day on which its assistants are connected.
            (Kind::Registration | Kind::Consent | Kind::Exchange | Kind::Provider, _) => (100, MINUTE),
            (Kind::Waitlist, _) | (Kind::SecondFactor, Who::Account(_) | Who::Device(_)) => (5, 5 * MINUTE),
            (_, Who::Account(_) | Who::Device(_)) => (5, 30 * SECOND),
            (_, Who::Address(_)) => (20, MINUTE),
        };
        Self { free, longest }
    }

    /// The wait after this many attempts: 1 s, 2 s, 4 s, ….
    fn wait(&self, attempts: u32) -> i64 {
        match attempts.checked_sub(self.free) {
            None => 0,
            Some(more) => (SECOND << more.min(20)).min(self.longest),
        }
    }
}

/// What is known of one of them.
#[derive(Debug, Clone, Copy)]
struct Entry {
    attempts: u32,
    /// When the last attempt was made, and when the next may be; Unix milliseconds.
    last: i64,
    next: i64,
}

type Entries = HashMap<(Kind, Who), Entry>;

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

impl Throttle {
    /// One that has seen nothing.
    pub fn new(clock: Clock) -> Self {
        Self { clock, entries: Mutex::default() }
    }

    /// Counts an attempt against all of `who`, or refuses it with [`Error::RateLimited`] when one of them must wait.
    pub fn attempt(&self, kind: Kind, who: impl IntoIterator<Item = Who>) -> Result<Attempt<'_>> {
        let now = self.clock.now();
        let mut entries = self.entries();
        let keys: Vec<(Kind, Who)> = who.into_iter().map(|who| (kind, who)).collect();
        let next = keys.iter().filter_map(|key| entries.get(key)).map(|entry| entry.next).max().unwrap_or_default();
        if next > now {
            // Rounded up: who comes back when told to is not told to wait again.
            let seconds = u64::try_from(next - now).unwrap_or_default().div_ceil(SECOND.unsigned_abs());
            return Err(Error::RateLimited { retry_after: Duration::from_secs(seconds) });
        }
        make_room(&mut entries, keys.len(), now);
        for key in &keys {
            let entry = entries.entry(*key).or_insert(Entry { attempts: 0, last: now, next: now });
            if entry.last + FORGOTTEN_AFTER <= now {
                entry.attempts = 0;
            }
            entry.attempts = entry.attempts.saturating_add(1);
            entry.last = now;
            entry.next = now + Pace::of(key.0, key.1).wait(entry.attempts);
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

/// An attempt that was counted, and stays so unless it succeeds.
#[derive(Debug)]
pub struct Attempt<'t> {
    throttle: &'t Throttle,
    keys: Vec<(Kind, Who)>,
}

impl Attempt<'_> {
    /// Forgets what counts against the account and the browser. Against an address only this one attempt is taken
    /// back: otherwise a guesser would sign in to an account of their own between two guesses.
    pub fn succeeded(self) {
        let mut entries = self.throttle.entries();
        for key in self.keys {
            match key.1 {
                Who::Account(_) | Who::Device(_) => drop(entries.remove(&key)),
                Who::Address(_) => {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn address(n: u32) -> Who {
        Who::address(IpAddr::V4(n.into()))
    }

    fn refused(throttle: &Throttle, kind: Kind, who: Who) -> Option<u64> {
        match throttle.attempt(kind, [who]) {
            Ok(_) => None,
            Err(Error::RateLimited { retry_after }) => Some(retry_after.as_secs()),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn waits_double_up_to_the_longest_and_refused_attempts_change_nothing() {
        let clock = Clock::stopped();
        let throttle = Throttle::new(clock.clone());
        let ada = Who::login("ada");
        for _ in 0..5 {
            assert_eq!(refused(&throttle, Kind::SignIn, ada), None);
        }
        for wait in [1, 2, 4, 8, 16, 30, 30] {
            for _ in 0..100 {
                assert_eq!(refused(&throttle, Kind::SignIn, ada), Some(wait));
            }
            clock.advance(i64::try_from(wait).unwrap() * SECOND);
            assert_eq!(refused(&throttle, Kind::SignIn, Who::login(" ADA ")), None, "in any case");
        }
        assert_eq!(refused(&throttle, Kind::Password, ada), None, "each kind for itself");
        clock.advance(FORGOTTEN_AFTER);
        for _ in 0..5 {
            assert_eq!(refused(&throttle, Kind::SignIn, ada), None, "forgotten");
        }
    }

    #[test]
    fn success_forgives_an_account_all_and_an_address_that_attempt() {
        let throttle = Throttle::new(Clock::stopped());
        let (ada, home) = (Who::login("ada"), address(1));
        for _ in 0..4 {
            throttle.attempt(Kind::SignIn, [home, ada]).unwrap();
        }
        throttle.attempt(Kind::SignIn, [home, ada]).unwrap().succeeded();
        for _ in 0..5 {
            throttle.attempt(Kind::SignIn, [home, ada]).unwrap();
        }
        assert!(throttle.attempt(Kind::SignIn, [home, ada]).is_err(), "five more for the account");
        for _ in 0..11 {
            assert_eq!(refused(&throttle, Kind::SignIn, home), None);
        }
        assert!(refused(&throttle, Kind::SignIn, home).is_some(), "the address has made twenty");
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let who = |text: &str| Who::address(text.parse().unwrap());
        assert_eq!(who("2001:db8:1:2::1"), who("2001:db8:1:2:ffff::9"));
        assert_ne!(who("2001:db8:1:2::1"), who("2001:db8:1:3::1"));
        assert_eq!(who("::ffff:192.0.2.1"), who("192.0.2.1"));
        assert_ne!(who("192.0.2.1"), who("192.0.2.2"));
    }

    #[test]
    fn memory_is_bounded_and_the_busiest_are_remembered() {
        let clock = Clock::stopped();
        let throttle = Throttle::new(clock.clone());
        let busy = Who::login("ada");
        for _ in 0..12 {
            clock.advance(MINUTE);
            throttle.attempt(Kind::SignIn, [busy]).unwrap();
        }
        for n in 0..100_000 {
            throttle.attempt(Kind::SignIn, [address(n)]).unwrap();
            assert!(throttle.entries().len() <= REMEMBERED);
        }
        assert!(refused(&throttle, Kind::SignIn, busy).is_some());
    }
}
