//! The one place that asks for the time, so that tests can move it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Instant,
};

/// Milliseconds in a second, a minute, an hour, a day.
pub const SECOND: i64 = 1_000;
/// Milliseconds in a minute.
pub const MINUTE: i64 = 60 * SECOND;
/// Milliseconds in an hour.
pub const HOUR: i64 = 60 * MINUTE;
/// Milliseconds in a day.
pub const DAY: i64 = 24 * HOUR;

/// The wall clock, and one that only runs forward. Tests move both; clones share what they were moved by.
#[derive(Debug, Clone)]
pub struct Clock {
    moved: Arc<Moved>,
    started: Instant,
    stopped_at: Option<i64>,
}

/// How far a test has moved a clock, in milliseconds.
#[derive(Debug, Default)]
struct Moved {
    /// Time that has passed.
    passed: AtomicI64,
    /// What the wall clock was set forward by; negative: back.
    set: AtomicI64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { moved: Arc::default(), started: Instant::now(), stopped_at: None }
    }
}

impl Clock {
    /// A clock that shows this moment until it is moved: what depends on seconds is then no matter of a machine's speed.
    pub fn stopped() -> Self {
        Self { stopped_at: Some(wall()), ..Self::default() }
    }

    /// Now, in Unix milliseconds. The system's clock may be set at any time, so this may jump in either direction.
    pub fn now(&self) -> i64 {
        let set = self.moved.set.load(Ordering::Relaxed);
        self.stopped_at.unwrap_or_else(wall) + self.moved.passed.load(Ordering::Relaxed) + set
    }

    /// Milliseconds since this clock was made. They never jump: take these for waits, limits and retries.
    pub fn monotonic(&self) -> i64 {
        let elapsed = match self.stopped_at {
            Some(_) => 0,
            None => i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX / 2),
        };
        elapsed + self.moved.passed.load(Ordering::Relaxed)
    }

    /// Moves this clock and its clones forward, as time does.
    pub fn advance(&self, milliseconds: i64) {
        self.moved.passed.fetch_add(milliseconds, Ordering::Relaxed);
    }

    /// Sets the wall clock of this clock and its clones forward, or back by a negative number, while no time passes.
    pub fn step(&self, milliseconds: i64) {
        self.moved.set.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the clock")]
fn wall() -> i64 {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_epoch.as_millis()).expect("milliseconds since 1970 fit 64 bits for 292 million years")
}
