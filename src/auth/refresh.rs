//! Refresh tokens, with which a browser renews its session.
//!
//! A token consists of 128 bits that identify the session and never change, and 256 bits that are new at every use. Any
//! token that a session ever had can therefore be assigned to it, and the reuse of an old token reveals theft.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use super::{TokenHash, keys::random};

const FAMILY: usize = 16;
const SECRET: usize = 32;

/// A refresh token. Never printed, and stored only as hashes.
#[derive(Clone, PartialEq, Eq)]
pub struct RefreshToken([u8; FAMILY + SECRET]);

impl RefreshToken {
    /// The first token of a session.
    pub fn first() -> Self {
        Self::with(random())
    }

    /// The next token of the same session.
    #[must_use]
    pub fn successor(&self) -> Self {
        let mut family = [0; FAMILY];
        family.copy_from_slice(&self.0[..FAMILY]);
        Self::with(family)
    }

    fn with(family: [u8; FAMILY]) -> Self {
        let mut token = [0; FAMILY + SECRET];
        token[..FAMILY].copy_from_slice(&family);
        token[FAMILY..].copy_from_slice(&random::<SECRET>());
        Self(token)
    }

    /// Parses the output of [`RefreshToken::reveal`].
    pub fn parse(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// The text that is sent to the browser.
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// The hash that identifies the session.
    pub fn family_hash(&self) -> TokenHash {
        Sha256::digest(&self.0[..FAMILY]).into()
    }

    /// The hash of the whole token.
    pub fn hash(&self) -> TokenHash {
        Sha256::digest(self.0).into()
    }
}

impl std::fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RefreshToken(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_one_session_share_only_their_family() {
        let first = RefreshToken::first();
        let second = first.successor();
        assert_eq!(first.family_hash(), second.family_hash());
        assert_ne!(first.hash(), second.hash());
        assert_ne!(first.family_hash(), RefreshToken::first().family_hash());
        assert_eq!(RefreshToken::parse(&second.reveal()), Some(second.clone()));
        assert_eq!(second.reveal().len(), 64);
        for wrong in ["", "nonsense", &second.reveal()[1..], &format!("{}AAAA", second.reveal())] {
            assert_eq!(RefreshToken::parse(wrong), None, "{wrong}");
        }
    }
}
