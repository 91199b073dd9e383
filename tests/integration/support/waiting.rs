//! Waiting. Tests wait for events or for conditions: how long something takes must not decide whether a test passes, because
//! machines can be slow.

use std::{
    fmt::Debug,
    thread,
    time::{Duration, Instant},
};

/// Longer than anything takes on any machine: after this, a server that does not respond is an error.
pub const PATIENCE: Duration = Duration::from_mins(5);
const PAUSE: Duration = Duration::from_millis(10);

/// Repeats an attempt until it succeeds.
#[track_caller]
pub fn eventually<T, E: Debug>(mut attempt: impl FnMut() -> Result<T, E>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match attempt() {
            Ok(result) => return result,
            Err(error) => assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {error:?}"),
        }
        thread::sleep(PAUSE);
    }
}

/// The same for a condition that depends on other tasks of this thread.
pub async fn eventually_in_tasks<T, E: Debug>(mut attempt: impl FnMut() -> Result<T, E>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match attempt() {
            Ok(result) => return result,
            Err(error) => assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {error:?}"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Gives something that must not happen time to happen, where no event tells that it was attempted. The test can pass wrongly on
/// a slow machine, but cannot fail wrongly.
pub async fn allow_time_to_fail(duration: Duration) {
    tokio::time::sleep(duration).await;
}

/// Takes at least this long, for code that measures time itself. A test must pass however much longer it takes.
pub fn take_at_least(duration: Duration) {
    thread::sleep(duration);
}
