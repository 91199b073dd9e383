//! Randomness.

use aws_lc_rs::rand::fill;

/// `N` random bytes from the operating system.
#[expect(clippy::missing_panics_doc, reason = "without randomness no key is secure")]
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    fill(&mut bytes).expect("the operating system's source of randomness");
    bytes
}
