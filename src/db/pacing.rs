//! Pauses between the large writes of one user.
//!
//! Turns alone would let one user keep the writer busy with large writes: a small write of another user waits for at
//! most one of them, but nearly every small write does. While other users write, a user's next large write therefore
//! starts only after a pause of twice the duration of the last one, so that the writer is free two thirds of the time.
//! A user who writes alone never pauses. Large writes of the server itself, such as the parts of the search index that
//! follow a large write, pause in the same way while several users write.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use crate::schedule::QueueKey;

/// The pause after a large write, as a multiple of its duration.
const PAUSE_FACTOR: u32 = 2;
/// The same for the server itself. No user waits for its writes.
const SERVER_PAUSE_FACTOR: u32 = 4;
/// Maximum pause, well below the time limit of a request.
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// How long after a write its user counts as writing.
const ACTIVE_TIME: Duration = Duration::from_secs(10);
/// At this number of users, those who no longer write are removed before another one is recorded.
const MAX_USERS: usize = 1_000;

/// The recent writes of all users.
#[derive(Debug, Default)]
pub(super) struct Pacing {
    users: HashMap<QueueKey, RecentWrites>,
}

#[derive(Debug)]
struct RecentWrites {
    last: Instant,
    /// The end of the pause after the last large write.
    pause_end: Option<Instant>,
}

impl Pacing {
    /// Records that `key` has written at `now`.
    pub(super) fn record(&mut self, key: QueueKey, now: Instant) {
        if self.users.len() >= MAX_USERS {
            self.users.retain(|_, recent| recent.is_active(now));
        }
        self.users.entry(key).or_insert(RecentWrites { last: now, pause_end: None }).last = now;
    }

    /// Records a large write of `key` that ended at `now`.
    pub(super) fn record_large(&mut self, key: QueueKey, duration: Duration, now: Instant) {
        let factor = if key == QueueKey::System { SERVER_PAUSE_FACTOR } else { PAUSE_FACTOR };
        let pause = duration.saturating_mul(factor).min(MAX_PAUSE);
        self.record(key.clone(), now);
        if let Some(recent) = self.users.get_mut(&key) {
            recent.pause_end = now.checked_add(pause);
        }
    }

    /// The earliest start of the next large write of `key`, if it must wait.
    pub(super) fn large_write_start(&self, key: &QueueKey, now: Instant) -> Option<Instant> {
        let pause_end = self.users.get(key)?.pause_end.filter(|end| *end > now)?;
        let others = self.users.iter().filter(|(other, recent)| {
            // No user waits for the writes of the server itself.
            *other != key && **other != QueueKey::System && recent.is_active(now)
        });
        // The server mostly continues the work of one of the users.
        let own = usize::from(*key == QueueKey::System);
        (others.count() > own).then_some(pause_end)
    }
}

impl RecentWrites {
    fn is_active(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.last) < ACTIVE_TIME
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: QueueKey = QueueKey::User(1);
    const BOB: QueueKey = QueueKey::User(2);
    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_user_pauses_between_large_writes_while_others_write() {
        let (mut pacing, start) = (Pacing::default(), Instant::now());
        pacing.record(BOB, start);
        pacing.record_large(ANN, SECOND, start);
        assert_eq!(pacing.large_write_start(&ANN, start), Some(start + 2 * SECOND));
        assert_eq!(pacing.large_write_start(&BOB, start), None);
        assert_eq!(pacing.large_write_start(&ANN, start + 2 * SECOND), None);
    }

    #[test]
    fn a_user_who_writes_alone_does_not_pause() {
        let (mut pacing, start) = (Pacing::default(), Instant::now());
        pacing.record(BOB, start);
        let later = start + ACTIVE_TIME;
        pacing.record_large(QueueKey::System, SECOND, later);
        pacing.record_large(ANN, SECOND, later);
        assert_eq!(pacing.large_write_start(&ANN, later), None);
        assert_eq!(pacing.large_write_start(&QueueKey::System, later), None);
    }

    #[test]
    fn the_server_pauses_only_while_several_users_write() {
        let (mut pacing, start) = (Pacing::default(), Instant::now());
        pacing.record_large(ANN, SECOND, start);
        pacing.record_large(QueueKey::System, SECOND, start);
        assert_eq!(pacing.large_write_start(&QueueKey::System, start), None);
        pacing.record(BOB, start);
        assert_eq!(pacing.large_write_start(&QueueKey::System, start), Some(start + 4 * SECOND));
    }

    #[test]
    fn a_pause_has_a_maximum() {
        let (mut pacing, start) = (Pacing::default(), Instant::now());
        pacing.record(BOB, start);
        pacing.record_large(ANN, Duration::from_mins(1), start);
        assert_eq!(pacing.large_write_start(&ANN, start), Some(start + MAX_PAUSE));
    }

    #[test]
    fn users_who_no_longer_write_take_no_memory() {
        let (mut pacing, start) = (Pacing::default(), Instant::now());
        for user in 0..1_000 {
            pacing.record(QueueKey::User(user), start);
        }
        pacing.record(QueueKey::User(1_000), start + ACTIVE_TIME);
        assert_eq!(pacing.users.len(), 1);
    }
}
