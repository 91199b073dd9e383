//! The keys of this instance: one signs session JWTs, one encrypts secrets at rest, one signs addresses of share links.
//!
//! They are stored in `keys/` next to the database, with mode 0600, and never in the database: a copy of the database
//! alone exposes neither sessions nor the secrets of integrations.

mod file;
mod jwk;
mod random;
mod ring;
mod sharing;

use std::{
    fs, io,
    os::unix::fs::DirBuilderExt,
    path::Path,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard},
};

use aws_lc_rs::aead::{AES_256_GCM, Aad, RandomizedNonceKey};
use jsonwebtoken::{DecodingKey, EncodingKey};
use quick_cache::sync::Cache;
use serde_json::{Map, Value};

use self::{
    file::{MissingKey, read_key, restrict_permissions},
    ring::Ring,
    sharing::{Purpose, SharingKey},
};
pub use self::{jwk::Jwk, random::random};
use crate::error::{Error, Result};

/// File name of the encryption key.
const SEALING: &str = "sealing.key";

/// Maximum number of remembered session JWTs, of which each takes about one kilobyte. Only tokens with a valid signature
/// are remembered.
const REMEMBERED: usize = 4_096;

/// The loaded keys.
pub struct Keys {
    ring: RwLock<Ring>,
    sealing: RandomizedNonceKey,
    sharing: RwLock<SharingKey>,
    /// The claims of session JWTs whose signature was verified, by the SHA-256 digest of the whole token.
    verified: Cache<[u8; 32], Arc<Map<String, Value>>>,
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keys").field("kid", &self.ring().kid).finish_non_exhaustive()
    }
}

impl Keys {
    /// Whether `data_dir/keys` contains any key.
    pub fn exist(data_dir: &Path) -> bool {
        [SEALING, ring::CURRENT, sharing::FILE].iter().any(|name| data_dir.join("keys").join(name).exists())
    }

    /// Whether `data_dir/keys` contains the key that decrypts sealed values.
    pub fn can_unseal(data_dir: &Path) -> bool {
        data_dir.join("keys").join(SEALING).exists()
    }

    /// Whether `data_dir/keys` contains the key of share links.
    pub fn can_share(data_dir: &Path) -> bool {
        data_dir.join("keys").join(sharing::FILE).exists()
    }

    /// Whether `data_dir/keys` contains the key that signs sessions.
    pub fn can_sign(data_dir: &Path) -> bool {
        data_dir.join("keys").join(ring::CURRENT).exists()
    }

    /// Loads the keys from `data_dir/keys` and creates missing ones. Removes permissions of other users.
    pub fn load(data_dir: &Path) -> io::Result<Self> {
        let directory = data_dir.join("keys");
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&directory)?;
        restrict_permissions(&directory)?;
        Self::from_directory(&directory, MissingKey::Create)
    }

    /// Loads the keys from `data_dir/keys` without changing anything. Fails if a key is missing.
    pub fn load_existing(data_dir: &Path) -> io::Result<Self> {
        let directory = data_dir.join("keys");
        for name in [SEALING, ring::CURRENT] {
            let path = directory.join(name);
            fs::metadata(&path)
                .map_err(|error| io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display())))?;
        }
        Self::load_unchanged(data_dir)
    }

    /// Loads the keys from `data_dir/keys` without changing anything. Random keys take the place of missing ones.
    pub fn load_unchanged(data_dir: &Path) -> io::Result<Self> {
        Self::from_directory(&data_dir.join("keys"), MissingKey::Substitute)
    }

    fn from_directory(directory: &Path, missing: MissingKey) -> io::Result<Self> {
        let sealing = read_key(&directory.join(SEALING), missing, || Ok(random::<32>().to_vec()))?;
        let sealing = RandomizedNonceKey::new(&AES_256_GCM, &sealing).map_err(|_| {
            let text = format!(
                "{}: sealing.key is not a key; copy it from a backup. If it is lost, delete it and run `planroom keys \
                 reset` to discard what it encrypts",
                directory.display()
            );
            io::Error::new(io::ErrorKind::InvalidData, text)
        })?;
        Ok(Self {
            ring: RwLock::new(Ring::load(directory, missing)?),
            sealing,
            sharing: RwLock::new(SharingKey::load(directory, missing)?),
            verified: Cache::new(REMEMBERED),
        })
    }

    /// The public keys for verifying session JWTs, for `/.well-known/jwks.json`. The first is the current signing key.
    /// `now` is in Unix milliseconds.
    pub fn jwks(&self, now: i64) -> Vec<Jwk> {
        self.ring().jwks(now)
    }

    /// Replaces the signing key and returns the id of the new one. Existing JWTs stay valid until they expire. Writes
    /// files, so it must not run on an asynchronous thread. `now` is in Unix milliseconds.
    pub fn rotate(&self, now: i64) -> Result<String> {
        let mut ring = self.ring.write().unwrap_or_else(PoisonError::into_inner);
        *ring = ring.rotated(now)?;
        Ok(ring.kid.clone())
    }

    /// Replaces the key of share links, which ends all addresses that were given out. Writes a file, so it must not run on
    /// an asynchronous thread.
    pub fn rotate_sharing(&self) -> Result<()> {
        let mut sharing = self.sharing.write().unwrap_or_else(PoisonError::into_inner);
        *sharing = sharing.rotated()?;
        Ok(())
    }

    /// The secret part of the address of a share link. It differs for each generation of the link.
    pub fn share_code(&self, id: &str, generation: i64) -> String {
        self.sharing().sign(Purpose::Address, &[id.as_bytes(), &generation.to_be_bytes()])
    }

    /// Whether `code` is the secret part of the address of a share link.
    pub fn is_share_code(&self, id: &str, generation: i64, code: &str) -> bool {
        self.sharing().verify(Purpose::Address, &[id.as_bytes(), &generation.to_be_bytes()], code)
    }

    /// Proves until `expires_at` that a client has given the password of a share link. Invalid after the password changes
    /// or the link is rotated.
    pub fn unlock_code(&self, id: &str, generation: i64, password_hash: &str, expires_at: i64) -> String {
        self.sharing()
            .sign(Purpose::Unlocked, &unlocked(id, &generation.to_be_bytes(), password_hash, &expires_at.to_be_bytes()))
    }

    /// Whether `code` is that proof. The caller compares `expires_at` with the current time.
    pub fn is_unlock_code(&self, id: &str, generation: i64, password_hash: &str, expires_at: i64, code: &str) -> bool {
        let (generation, expires_at) = (generation.to_be_bytes(), expires_at.to_be_bytes());
        self.sharing().verify(Purpose::Unlocked, &unlocked(id, &generation, password_hash, &expires_at), code)
    }

    fn sharing(&self) -> RwLockReadGuard<'_, SharingKey> {
        // The value is always replaced as a whole, so a poisoned lock is harmless.
        self.sharing.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The signing key and its id.
    pub(super) fn signing(&self) -> (String, EncodingKey) {
        let ring = self.ring();
        (ring.kid.clone(), ring.signing.clone())
    }

    /// The public key `kid`, as long as its signatures are accepted.
    pub(super) fn verifying(&self, kid: &str, now: i64) -> Option<DecodingKey> {
        self.ring().verifying(kid, now)
    }

    /// The claims of a token whose signature was verified before. `digest` is the SHA-256 digest of the whole token.
    pub(super) fn verified_claims(&self, digest: &[u8; 32]) -> Option<Arc<Map<String, Value>>> {
        self.verified.get(digest)
    }

    /// Remembers the claims of a token whose signature is valid.
    pub(super) fn remember_claims(&self, digest: [u8; 32], claims: Arc<Map<String, Value>>) {
        self.verified.insert(digest, claims);
    }

    fn ring(&self) -> RwLockReadGuard<'_, Ring> {
        // The value is always replaced as a whole, so a poisoned lock is harmless.
        self.ring.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Encrypts `secret` for storage. Decryption requires the same `purpose`.
    pub fn seal(&self, purpose: &str, secret: &[u8]) -> Result<Vec<u8>> {
        let mut sealed = secret.to_vec();
        let nonce = self
            .sealing
            .seal_in_place_append_tag(Aad::from(purpose.as_bytes()), &mut sealed)
            .map_err(|_| Error::internal("sealing failed"))?;
        Ok([nonce.as_ref().as_slice(), &sealed].concat())
    }

    /// Decrypts the result of [`Keys::seal`] for the same purpose.
    pub fn open(&self, purpose: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let wrong = || {
            Error::internal(
                "an encrypted value cannot be decrypted: it was encrypted with other keys than those in keys/",
            )
        };
        let (nonce, body) = sealed.split_at_checked(12).ok_or_else(wrong)?;
        let nonce = aws_lc_rs::aead::Nonce::try_assume_unique_for_key(nonce).map_err(|_| wrong())?;
        let mut body = body.to_vec();
        let opened =
            self.sealing.open_in_place(nonce, Aad::from(purpose.as_bytes()), &mut body).map_err(|_| wrong())?;
        Ok(opened.to_vec())
    }
}

/// What the proof of a password is about.
fn unlocked<'a>(id: &'a str, generation: &'a [u8], password_hash: &'a str, expires_at: &'a [u8]) -> [&'a [u8]; 4] {
    [id.as_bytes(), generation, password_hash.as_bytes(), expires_at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_value_requires_the_same_purpose_and_keys() {
        let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let keys = Keys::load(home.path()).unwrap();
        let sealed = keys.seal("answer", b"secret").unwrap();
        assert!(!sealed.windows(6).any(|w| w == b"secret"));
        assert_eq!(keys.open("answer", &sealed).unwrap(), b"secret");
        assert_eq!(Keys::load(home.path()).unwrap().open("answer", &sealed).unwrap(), b"secret");
        assert!(keys.open("other", &sealed).is_err());
        assert!(Keys::load(elsewhere.path()).unwrap().open("answer", &sealed).is_err());
        assert!(keys.open("answer", &sealed[..5]).is_err());
    }
}
