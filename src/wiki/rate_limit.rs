//! The rate limit of a connection: a maximum number of requests per second, and pauses that the provider asks for.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The window in which requests are counted.
const WINDOW: Duration = Duration::from_secs(1);

/// The rate limiter of a connection.
#[derive(Debug, Default)]
pub(super) struct RateLimit(Mutex<Reservations>);

#[derive(Debug, Default)]
struct Reservations {
    /// Times of recent and reserved requests, oldest first; at most as many as are allowed in a window.
    turns: VecDeque<Instant>,
    /// End of the current pause.
    rest_until: Option<Instant>,
}

impl RateLimit {
    /// Reserves the next turn and returns its time, at the earliest `now`. If it would be after `latest`, no turn is
    /// reserved and the error is the time to wait.
    pub(super) fn turn(&self, now: Instant, latest: Instant, per_second: usize) -> Result<Instant, Duration> {
        let mut reservations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = (reservations.turns.len() >= per_second.max(1))
            .then(|| reservations.turns.front().map(|oldest| *oldest + WINDOW));
        let at = [Some(now), free.flatten(), reservations.rest_until].into_iter().flatten().max().unwrap_or(now);
        if at > latest {
            return Err(at - now);
        }
        reservations.turns.push_back(at);
        while reservations.turns.len() > per_second.max(1) {
            reservations.turns.pop_front();
        }
        Ok(at)
    }

    /// Returns an unused turn.
    pub(super) fn cancel_turn(&self, turn: Instant) {
        let mut reservations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = reservations.turns.iter().rposition(|reservations| *reservations == turn) {
            reservations.turns.remove(place);
        }
    }

    /// Whether the limiter has no effect from `now` on, so that it can be dropped.
    pub(super) fn is_idle(&self, now: Instant) -> bool {
        let reservations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reservations.turns.back().is_none_or(|last| *last + WINDOW <= now)
            && reservations.rest_until.is_none_or(|until| until <= now)
    }

    /// Pauses requests until `until`.
    pub(super) fn rest(&self, until: Instant) {
        let mut reservations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reservations.rest_until = reservations.rest_until.max(Some(until));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn an_unused_limiter_is_idle() {
        let (rate_limit, start) = (RateLimit::default(), Instant::now());
        assert!(rate_limit.is_idle(start));
        rate_limit.turn(start, start, 3).unwrap();
        assert!(!rate_limit.is_idle(start) && rate_limit.is_idle(start + WINDOW));
        rate_limit.rest(start + 2 * WINDOW);
        assert!(!rate_limit.is_idle(start + WINDOW) && rate_limit.is_idle(start + 2 * WINDOW));
    }

    #[test]
    fn no_second_has_more_requests_than_allowed() {
        let (rate_limit, start) = (RateLimit::default(), Instant::now());
        let far = start + 100 * WINDOW;
        let turns: Vec<Instant> =
            (0..20).map(|n| rate_limit.turn(start + n * 10 * MILLISECOND, far, 3).unwrap()).collect();
        assert_eq!(turns[..3], [start, start + 10 * MILLISECOND, start + 20 * MILLISECOND], "three at once may be");
        for four in turns.windows(4) {
            assert!(four[3] - four[0] >= WINDOW, "{four:?}");
        }
        assert_eq!(turns[19] - start, 6 * WINDOW + 10 * MILLISECOND, "and no more is waited than must be");
    }

    #[test]
    fn a_request_that_would_wait_too_long_is_rejected_with_the_wait() {
        let (rate_limit, start) = (RateLimit::default(), Instant::now());
        for _ in 0..2 {
            rate_limit.turn(start, start, 2).unwrap();
        }
        assert_eq!(rate_limit.turn(start, start + Duration::from_millis(999), 2), Err(WINDOW));
        assert_eq!(rate_limit.turn(start, start + WINDOW, 2), Ok(start + WINDOW));
    }

    #[test]
    fn no_request_is_sent_during_a_pause() {
        let (rate_limit, start) = (RateLimit::default(), Instant::now());
        rate_limit.rest(start + 7 * WINDOW);
        rate_limit.rest(start + 2 * WINDOW);
        assert_eq!(rate_limit.turn(start, start + 5 * WINDOW, 3), Err(7 * WINDOW));
        assert_eq!(rate_limit.turn(start + 8 * WINDOW, start + 9 * WINDOW, 3), Ok(start + 8 * WINDOW));
    }
}
