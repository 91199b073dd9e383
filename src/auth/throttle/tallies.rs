//! Counts of failed and rejected attempts since the start, for monitoring.

use std::sync::atomic::{AtomicU64, Ordering};

use super::AttemptKind;

/// All kinds of attempts with their names in metrics. A kind is at the index of its number.
const NAMES: [&str; 15] = [
    "sign_in",
    "second_factor",
    "set_up",
    "invitation",
    "waitlist",
    "token",
    "password",
    "registration",
    "consent",
    "exchange",
    "provider",
    "reset_request",
    "email_link",
    "share_unlock",
    "shared_drawing",
];
/// The kinds that verify a secret of an account. All others count requests, whether they succeed or not.
const VERIFIED: [AttemptKind; 3] = [AttemptKind::SignIn, AttemptKind::SecondFactor, AttemptKind::Password];

/// Counts by kind of attempt.
#[derive(Debug, Default)]
pub struct Tallies {
    failed: [AtomicU64; NAMES.len()],
    rejected: [AtomicU64; NAMES.len()],
}

impl Tallies {
    pub(super) fn failed(&self, kind: AttemptKind) {
        self.failed[kind as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn rejected(&self, kind: AttemptKind) {
        self.rejected[kind as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// How often a password or a two-factor code was wrong, by kind.
    pub fn failures(&self) -> impl Iterator<Item = (&'static str, u64)> {
        VERIFIED.map(|kind| (NAMES[kind as usize], self.failed[kind as usize].load(Ordering::Relaxed))).into_iter()
    }

    /// How many attempts the rate limits rejected, by kind.
    pub fn rejections(&self) -> impl Iterator<Item = (&'static str, u64)> {
        NAMES.into_iter().zip(self.rejected.iter().map(|count| count.load(Ordering::Relaxed)))
    }
}
