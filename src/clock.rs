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
pub struct Clock(Arc<AtomicI64>);

impl Clock {
    /// Now, in Unix milliseconds.
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    #[expect(clippy::missing_panics_doc, reason = "milliseconds since 1970 fit 64 bits for 292 million years")]
    pub fn now(&self) -> i64 {
        let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since_epoch.as_millis()).expect("a date within reason") + self.0.load(Ordering::Relaxed)
    }

    /// Moves this clock and its clones forward.
    pub fn advance(&self, milliseconds: i64) {
        self.0.fetch_add(milliseconds, Ordering::Relaxed);
    }
}
