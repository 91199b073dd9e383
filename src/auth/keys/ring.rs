//! The key ring for session JWTs: the signing key, and retired public keys for as long as JWTs signed with them may be
//! valid.

use std::{
    io,
    path::{Path, PathBuf},
};

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{Ed25519KeyPair, KeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{DecodingKey, EncodingKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    file::{MissingKey, read, read_key, replace},
    jwk::Jwk,
};
use crate::clock::{HOUR, MINUTE};

pub(super) const CURRENT: &str = "session-signing.pk8";
const RETIRED: &str = "session-retired.json";

/// How long the public key of a replaced key is stored, in milliseconds: the maximum lifetime of a session JWT plus a
/// margin for differing clocks.
const RETENTION: i64 = HOUR + MINUTE;

/// The public key of a replaced signing key.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Retired {
    /// The key, base64url.
    x: String,
    /// Expiry, Unix milliseconds.
    until: i64,
}

/// The loaded keys.
pub(super) struct Ring {
    directory: PathBuf,
    pub(super) kid: String,
    pub(super) signing: EncodingKey,
    public: [u8; 32],
    retired: Vec<Retired>,
}

impl Ring {
    /// Reads the keys from `directory`.
    pub(super) fn load(directory: &Path, missing: MissingKey) -> io::Result<Self> {
        let unusable = |file: &str| {
            let text = format!(
                "{}: {file} is not a key; copy it from a backup. If it is lost, delete it: clients renew their sessions",
                directory.display()
            );
            io::Error::new(io::ErrorKind::InvalidData, text)
        };
        let signing = read_key(&directory.join(CURRENT), missing, new_key)?;
        let pair = Ed25519KeyPair::from_pkcs8(&signing).map_err(|_| unusable(CURRENT))?;
        let public: [u8; 32] = pair.public_key().as_ref().try_into().map_err(|_| unusable(CURRENT))?;
        let retired = match read(&directory.join(RETIRED))? {
            None => Vec::new(),
            Some(text) => serde_json::from_slice(&text).map_err(|_| unusable(RETIRED))?,
        };
        let signing = EncodingKey::from_ed_der(&signing);
        Ok(Self { directory: directory.to_owned(), kid: kid(&public), signing, public, retired })
    }

    /// A ring with a new signing key, already written to disk. `now` is in Unix milliseconds.
    pub(super) fn rotated(&self, now: i64) -> io::Result<Self> {
        let mut retired: Vec<_> = self.retired.iter().filter(|key| key.until > now).cloned().collect();
        retired.push(Retired { x: URL_SAFE_NO_PAD.encode(self.public), until: now + RETENTION });
        // The order matters: after a crash between the two writes, the key is both current and retired, and no session
        // is lost.
        replace(&self.directory, RETIRED, &serde_json::to_vec(&retired)?)?;
        replace(&self.directory, CURRENT, &new_key()?)?;
        Self::load(&self.directory, MissingKey::Create)
    }

    /// The public key `wanted`, if its signatures are still accepted.
    pub(super) fn verifying(&self, wanted: &str, now: i64) -> Option<DecodingKey> {
        let public = self.public(now).find(|(kid, _)| kid == wanted)?.1;
        Some(DecodingKey::from_ed_der(&public))
    }

    pub(super) fn jwks(&self, now: i64) -> Vec<Jwk> {
        self.public(now).map(|(kid, public)| Jwk::new(kid, &public)).collect()
    }

    /// All accepted public keys, newest first.
    fn public(&self, now: i64) -> impl Iterator<Item = (String, [u8; 32])> {
        let before = self.retired.iter().rev().filter(move |key| key.until > now);
        let before = before.filter_map(|key| URL_SAFE_NO_PAD.decode(&key.x).ok()?.try_into().ok());
        let before = before.filter(|public| *public != self.public);
        std::iter::once(self.public).chain(before).map(|public: [u8; 32]| (kid(&public), public))
    }
}

fn kid(public: &[u8; 32]) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(public)[..9])
}

fn new_key() -> io::Result<Vec<u8>> {
    let made = Ed25519KeyPair::generate_pkcs8v1(&SystemRandom::new()).map_err(io::Error::other)?;
    Ok(made.as_ref().to_vec())
}
