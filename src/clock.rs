//! The one place that asks for the time, so that tests can move it.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

/// Milliseconds in a second, a minute, an hour, a day.
pub const SECOND: i64 = 1_000;
/// Milliseconds in a minute.
pub const MINUTE: i64 = 60 * SECOND;
/// Milliseconds in an hour.
pub const HOUR: i64 = 60 * MINUTE;
/// Milliseconds in a day.
pub const DAY: i64 = 24 * HOUR;

/// The wall clock, with an offset that only tests move. Clones share the offset.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    offset: Arc<AtomicI64>,
    stopped_at: Option<i64>,
}

impl Clock {
    /// A clock that shows this moment until it is moved: what depends on seconds is then no matter of a machine's speed.
    pub fn stopped() -> Self {
        Self { stopped_at: Some(Self::default().now()), ..Self::default() }
    }

    /// Now, in Unix milliseconds.
    pub fn now(&self) -> i64 {
        self.stopped_at.unwrap_or_else(wall) + self.offset.load(Ordering::Relaxed)
    }

    /// Moves this clock and its clones forward.
    pub fn advance(&self, milliseconds: i64) {
        self.offset.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the clock")]
fn wall() -> i64 {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_epoch.as_millis()).expect("milliseconds since 1970 fit 64 bits for 292 million years")
}
