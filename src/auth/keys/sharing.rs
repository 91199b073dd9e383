//! The key of share links, from which their addresses are derived.

use std::{
    io,
    path::{Path, PathBuf},
};

use aws_lc_rs::{constant_time::verify_slices_are_equal, hmac};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{
    file::{MissingKey, read_key, replace},
    random::random,
};

/// File name of the key.
pub(super) const FILE: &str = "sharing.key";
/// Number of bytes of a message authentication code. 192 bits cannot be guessed.
const MAC_BYTES: usize = 24;

/// The key of share links.
pub(super) struct SharingKey {
    directory: PathBuf,
    key: hmac::Key,
}

/// What a code proves. Codes of one purpose are not valid for another.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose {
    /// That a client has the address of a link.
    Address,
    /// That a client has given the password of a link.
    Unlocked,
}

impl Purpose {
    fn label(self) -> &'static [u8] {
        match self {
            Self::Address => b"share address\0",
            Self::Unlocked => b"share unlocked\0",
        }
    }
}

impl SharingKey {
    /// Reads the key from `directory`. With a new or substituted key, no earlier address is valid.
    pub(super) fn load(directory: &Path, missing: MissingKey) -> io::Result<Self> {
        let key = read_key(&directory.join(FILE), missing, || Ok(random::<32>().to_vec()))?;
        if key.len() != 32 {
            let text = format!(
                "{}: {FILE} is not a key; copy it from a backup. If it is lost, delete it and run `planroom keys reset` to \
                 end all share links",
                directory.display()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok(Self { directory: directory.to_owned(), key: hmac::Key::new(hmac::HMAC_SHA256, &key) })
    }

    /// Replaces the key, in the file first.
    pub(super) fn rotated(&self) -> io::Result<Self> {
        replace(&self.directory, FILE, &random::<32>())?;
        Self::load(&self.directory, MissingKey::Create)
    }

    /// The code of `parts`, base64url.
    pub(super) fn sign(&self, purpose: Purpose, parts: &[&[u8]]) -> String {
        URL_SAFE_NO_PAD.encode(self.code(purpose, parts))
    }

    /// Whether `given` is the code of `parts`, compared in constant time.
    pub(super) fn verify(&self, purpose: Purpose, parts: &[&[u8]], given: &str) -> bool {
        let given = URL_SAFE_NO_PAD.decode(given).unwrap_or_default();
        verify_slices_are_equal(&given, &self.code(purpose, parts)).is_ok()
    }

    fn code(&self, purpose: Purpose, parts: &[&[u8]]) -> [u8; MAC_BYTES] {
        let mut context = hmac::Context::with_key(&self.key);
        context.update(purpose.label());
        for part in parts {
            // With the length, so that no two lists of parts are the same bytes.
            context.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            context.update(part);
        }
        let mut code = [0; MAC_BYTES];
        code.copy_from_slice(&context.sign().as_ref()[..MAC_BYTES]);
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_valid_for_its_key_its_purpose_and_its_parts() {
        let dir = tempfile::tempdir().unwrap();
        let key = SharingKey::load(dir.path(), MissingKey::Create).unwrap();
        let code = key.sign(Purpose::Address, &[b"a", b"1"]);
        assert_eq!(code.len(), 32);
        assert!(key.verify(Purpose::Address, &[b"a", b"1"], &code));
        assert!(SharingKey::load(dir.path(), MissingKey::Create).unwrap().verify(
            Purpose::Address,
            &[b"a", b"1"],
            &code
        ));
        assert!(!key.verify(Purpose::Unlocked, &[b"a", b"1"], &code));
        assert!(!key.verify(Purpose::Address, &[b"a", b"2"], &code));
        assert!(!key.verify(Purpose::Address, &[b"a1", b""], &code));
        for wrong in ["", "a", &code[..31], &format!("{code}A"), &code.to_lowercase()] {
            assert!(!key.verify(Purpose::Address, &[b"a", b"1"], wrong), "{wrong}");
        }
        let rotated = key.rotated().unwrap();
        assert!(!rotated.verify(Purpose::Address, &[b"a", b"1"], &code));
        assert!(!SharingKey::load(dir.path(), MissingKey::Create).unwrap().verify(
            Purpose::Address,
            &[b"a", b"1"],
            &code
        ));
    }
}
