//! Opaque random secrets: access tokens and setup links. Only their SHA-256 is stored.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use super::keys::random;

/// SHA-256 of a secret.
pub type TokenHash = [u8; 32];

/// How many characters of a token are stored in plain text so that its owner recognizes it: the prefix and four more.
const SHOWN: usize = 12;

/// Generates a secret: `prefix` followed by 256 random bits, in characters that never need quoting.
pub fn generate(prefix: &str) -> String {
    format!("{prefix}{}", URL_SAFE_NO_PAD.encode(random::<32>()))
}

/// The stored hash of `token`.
pub fn hash(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

/// The part of `token` that lists display.
pub fn shown_prefix(token: &str) -> &str {
    token.get(..SHOWN).unwrap_or(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_random_and_shows_only_its_prefix() {
        let (one, two) = (generate("svc_pat_"), generate("svc_pat_"));
        assert_ne!(one, two);
        assert_eq!(one.len(), "svc_pat_".len() + 43);
        assert_eq!(shown_prefix(&one), &one[..12]);
        assert_ne!(hash(&one), hash(&two));
    }
}
