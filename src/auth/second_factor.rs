//! Two-factor authentication: codes of an authenticator app (TOTP, RFC 6238) and recovery codes.

use base32::Alphabet;
use sha2::{Digest, Sha256};
use totp_rs::{Builder, Totp};

use super::{TokenHash, keys::random};
use crate::error::{Error, Result};

/// Length of a secret in bytes, as RFC 4226 recommends.
const SECRET: usize = 20;
/// Number of recovery codes, and the length of each in bytes.
const CODES: usize = 10;
const CODE: usize = 10;

/// Creates a secret for an authenticator app.
pub fn new_secret() -> [u8; SECRET] {
    random()
}

/// The secret for typing into an authenticator app: base32.
pub fn shown(secret: &[u8]) -> String {
    base32::encode(Alphabet::Rfc4648 { padding: false }, secret)
}

/// The secret for the QR code: `otpauth://totp/…`. The app displays `issuer` and `login`.
pub fn url(secret: &[u8], issuer: &str, login: &str) -> Result<String> {
    // A colon separates the two.
    let clean = |text: &str| text.replace(':', " ");
    totp(secret, &clean(issuer), &clean(login))?.to_url().map_err(Error::internal)
}

/// The TOTP time step that `code` is valid for: the current, previous or next one, to allow for differing clocks. `now`
/// is in Unix seconds. A code must not be accepted twice, so callers store the step.
pub fn step(secret: &[u8], code: &str, now: i64) -> Result<Option<i64>> {
    let digits: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let step = totp(secret, "Planroom", "")?.check(&digits, now.unsigned_abs());
    Ok(step.and_then(|step| i64::try_from(step).ok()))
}

fn totp(secret: &[u8], issuer: &str, account: &str) -> Result<Totp> {
    // Six digits, SHA-1, 30 s, one step of leeway: supported by every authenticator app.
    let builder = Builder::new().with_secret(secret.to_vec()).with_skew(1);
    builder.with_issuer(Some(issuer)).with_account_name(account).build().map_err(Error::internal)
}

/// Creates recovery codes: 80 bits each, in groups of four characters.
pub fn new_recovery_codes() -> Vec<String> {
    let code = |_| {
        let text = base32::encode(Alphabet::Crockford, &random::<CODE>());
        text.as_bytes().chunks(4).map(String::from_utf8_lossy).collect::<Vec<_>>().join("-")
    };
    (0..CODES).map(code).collect()
}

/// The hash stored for a recovery code, regardless of spaces, hyphens and case; none if the text is not a recovery
/// code.
pub fn recovery_hash(code: &str) -> Option<TokenHash> {
    let letters: String = code.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    let bytes = base32::decode(Alphabet::Crockford, &letters).filter(|bytes| bytes.len() == CODE)?;
    Some(Sha256::digest(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_6238_codes_are_accepted_one_step_early_and_late() {
        let secret = b"12345678901234567890";
        assert_eq!(step(secret, "287082", 59).unwrap(), Some(1));
        assert_eq!(step(secret, "287 082", 89).unwrap(), Some(1));
        assert_eq!(step(secret, "287082", 90).unwrap(), None);
        for wrong in ["", "28708", "2870820", "abcdef", "287083"] {
            assert_eq!(step(secret, wrong, 59).unwrap(), None, "{wrong}");
        }
        assert_eq!(shown(secret), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        let url = url(secret, "Plans: ours", "ada:l").unwrap();
        assert!(url.starts_with("otpauth://totp/") && url.contains("secret=GEZDGNBVGY3TQOJQ"), "{url}");
    }

    #[test]
    fn recovery_codes_are_accepted_in_any_format() {
        let codes = new_recovery_codes();
        assert_eq!(codes.len(), CODES);
        let code = &codes[0];
        assert_eq!(code.split('-').map(str::len).collect::<Vec<_>>(), [4, 4, 4, 4]);
        let typed = code.to_lowercase().replace('-', " ").replace('0', "o");
        assert_eq!(recovery_hash(&typed), recovery_hash(code));
        assert_ne!(recovery_hash(code), recovery_hash(&codes[1]));
        assert_eq!(recovery_hash("short"), None);
        assert_eq!(recovery_hash(""), None);
    }
}
