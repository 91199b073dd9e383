//! The only source of the current time, so that tests can control it.

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

/// A wall clock and a monotonic clock. Tests can move both; clones share the offset.
#[derive(Debug, Clone)]
pub struct Clock {
    offset: Arc<ClockOffset>,
    started: Instant,
    stopped_at: Option<i64>,
}

/// The offset of a clock in tests, in milliseconds.
#[derive(Debug, Default)]
struct ClockOffset {
    /// Time that has passed, for both clocks.
    passed: AtomicI64,
    /// Adjustment of the wall clock only; negative: back.
    set: AtomicI64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { offset: Arc::default(), started: Instant::now(), stopped_at: None }
    }
}

impl Clock {
    /// A clock that stands still until it is moved, so that tests do not depend on the speed of the machine.
    pub fn stopped() -> Self {
        Self { stopped_at: Some(wall()), ..Self::default() }
    }

    /// The current time in Unix milliseconds. The system clock can be set at any time, so this can jump in both
    /// directions.
    pub fn now(&self) -> i64 {
        let set = self.offset.set.load(Ordering::Relaxed);
        self.stopped_at.unwrap_or_else(wall) + self.offset.passed.load(Ordering::Relaxed) + set
    }

    /// Milliseconds since this clock was created. They never jump: use them for timeouts, rate limits and retries.
    pub fn monotonic(&self) -> i64 {
        let elapsed = match self.stopped_at {
            Some(_) => 0,
            None => i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX / 2),
        };
        elapsed + self.offset.passed.load(Ordering::Relaxed)
    }

    /// Moves both clocks and their clones forward.
    pub fn advance(&self, milliseconds: i64) {
        self.offset.passed.fetch_add(milliseconds, Ordering::Relaxed);
    }

    /// Sets the wall clock and its clones forward (negative: back) without moving the monotonic clock.
    pub fn step(&self, milliseconds: i64) {
        self.offset.set.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

#[expect(clippy::disallowed_methods, reason = "the clock reads the system time")]
fn wall() -> i64 {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_epoch.as_millis()).expect("milliseconds since 1970 fit 64 bits for 292 million years")
}
