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
pub(super) struct Pace(Mutex<Taken>);

#[derive(Debug, Default)]
struct Taken {
    /// Times of recent and reserved requests, oldest first; at most as many as are allowed in a window.
    turns: VecDeque<Instant>,
    /// End of the current pause.
    rest_until: Option<Instant>,
}

impl Pace {
    /// Reserves the next turn and returns its time, at the earliest `now`. If it would be after `latest`, no turn is
    /// reserved and the error is the time to wait.
    pub(super) fn turn(&self, now: Instant, latest: Instant, per_second: usize) -> Result<Instant, Duration> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = (taken.turns.len() >= per_second.max(1)).then(|| taken.turns.front().map(|oldest| *oldest + WINDOW));
        let at = [Some(now), free.flatten(), taken.rest_until].into_iter().flatten().max().unwrap_or(now);
        if at > latest {
            return Err(at - now);
        }
        taken.turns.push_back(at);
        while taken.turns.len() > per_second.max(1) {
            taken.turns.pop_front();
        }
        Ok(at)
    }

    /// Returns an unused turn.
    pub(super) fn give_back(&self, turn: Instant) {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = taken.turns.iter().rposition(|taken| *taken == turn) {
            taken.turns.remove(place);
        }
    }

    /// Whether the limiter has no effect from `now` on, so that it can be dropped.
    pub(super) fn is_idle(&self, now: Instant) -> bool {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.turns.back().is_none_or(|last| *last + WINDOW <= now) && taken.rest_until.is_none_or(|until| until <= now)
    }

    /// Pauses requests until `until`.
    pub(super) fn rest(&self, until: Instant) {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.rest_until = taken.rest_until.max(Some(until));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn a_pace_is_idle_when_it_holds_nothing_up() {
        let (pace, start) = (Pace::default(), Instant::now());
        assert!(pace.is_idle(start));
        pace.turn(start, start, 3).unwrap();
        assert!(!pace.is_idle(start) && pace.is_idle(start + WINDOW));
        pace.rest(start + 2 * WINDOW);
        assert!(!pace.is_idle(start + WINDOW) && pace.is_idle(start + 2 * WINDOW));
    }

    #[test]
    fn no_second_has_more_requests_than_it_may() {
        let (pace, start) = (Pace::default(), Instant::now());
        let far = start + 100 * WINDOW;
        let turns: Vec<Instant> = (0..20).map(|n| pace.turn(start + n * 10 * MILLISECOND, far, 3).unwrap()).collect();
        assert_eq!(turns[..3], [start, start + 10 * MILLISECOND, start + 20 * MILLISECOND], "three at once may be");
        for four in turns.windows(4) {
            assert!(four[3] - four[0] >= WINDOW, "{four:?}");
        }
        assert_eq!(turns[19] - start, 6 * WINDOW + 10 * MILLISECOND, "and no more is waited than must be");
    }

    #[test]
    fn who_would_wait_too_long_takes_no_turn_and_is_told_how_long() {
        let (pace, start) = (Pace::default(), Instant::now());
        for _ in 0..2 {
            pace.turn(start, start, 2).unwrap();
        }
        assert_eq!(pace.turn(start, start + Duration::from_millis(999), 2), Err(WINDOW));
        assert_eq!(pace.turn(start, start + WINDOW, 2), Ok(start + WINDOW));
    }

    #[test]
    fn nothing_is_asked_while_the_provider_wants_rest() {
        let (pace, start) = (Pace::default(), Instant::now());
        pace.rest(start + 7 * WINDOW);
        pace.rest(start + 2 * WINDOW);
        assert_eq!(pace.turn(start, start + 5 * WINDOW, 3), Err(7 * WINDOW));
        assert_eq!(pace.turn(start + 8 * WINDOW, start + 9 * WINDOW, 3), Ok(start + 8 * WINDOW));
    }
}
