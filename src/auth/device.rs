//! Known browsers: a sealed cookie marks browsers that have signed in to an account before.
//!
//! The cookie grants no access. It only separates the owner's browsers from attackers in the rate limits. It is bound
//! to the sign-in state of the account: a new password, or enabling or disabling two-factor authentication, invalidates
//! it.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{keys::Keys, tokens};
use crate::{clock::DAY, error::Result};

/// Lifetime of the cookie, in milliseconds.
pub const LIFETIME: i64 = 365 * DAY;

const PURPOSE: &str = "device";

/// The account and sign-in state that a cookie is valid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceAccount {
    user_id: i64,
    /// Truncated SHA-256 of the password hash and of the time at which two-factor authentication was enabled.
    fingerprint: String,
}

impl DeviceAccount {
    /// The account with this password hash, and with two-factor authentication enabled at `second_factor_since`.
    pub fn new(user_id: i64, password_hash: Option<&str>, second_factor_since: Option<i64>) -> Self {
        let state = format!("{} {}", second_factor_since.unwrap_or_default(), password_hash.unwrap_or_default());
        Self { user_id, fingerprint: URL_SAFE_NO_PAD.encode(&tokens::hash(&state)[..16]) }
    }
}

/// Creates the cookie after a successful sign-in. `now` is in Unix milliseconds.
pub fn cookie(keys: &Keys, account: &DeviceAccount, now: i64) -> Result<String> {
    let text = format!("{} {now} {}", account.user_id, account.fingerprint);
    Ok(URL_SAFE_NO_PAD.encode(keys.seal(PURPOSE, text.as_bytes())?))
}

/// Whether the cookie was issued by this instance, has not expired and matches the current state of the account.
pub fn is_of(keys: &Keys, cookie: &str, account: &DeviceAccount, now: i64) -> bool {
    read(keys, cookie).is_some_and(|(known, made)| known == *account && made + LIFETIME > now)
}

fn read(keys: &Keys, cookie: &str) -> Option<(DeviceAccount, i64)> {
    let opened = keys.open(PURPOSE, &URL_SAFE_NO_PAD.decode(cookie).ok()?).ok()?;
    let mut parts = std::str::from_utf8(&opened).ok()?.split(' ');
    let (user_id, made) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((DeviceAccount { user_id, fingerprint: parts.next()?.to_owned() }, made))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remembered_browser_expires_after_a_year_and_cannot_be_forged() {
        let home = tempfile::tempdir().unwrap();
        let keys = Keys::load(home.path()).unwrap();
        let ada = DeviceAccount::new(7, Some("hash"), None);
        let cookie = cookie(&keys, &ada, 1_000).unwrap();
        assert!(is_of(&keys, &cookie, &ada, 1_000));
        assert!(is_of(&keys, &cookie, &ada, 999 + LIFETIME));
        assert!(!is_of(&keys, &cookie, &ada, 1_000 + LIFETIME));
        assert!(!is_of(&keys, &URL_SAFE_NO_PAD.encode("7 1000"), &ada, 1_000));
        assert!(!is_of(&keys, "nonsense", &ada, 1_000));
        // Older cookies had no fingerprint.
        let old = URL_SAFE_NO_PAD.encode(keys.seal(PURPOSE, b"7 1000").unwrap());
        assert!(!is_of(&keys, &old, &ada, 1_000));
    }

    #[test]
    fn a_cookie_of_another_account_password_or_second_factor_is_rejected() {
        let home = tempfile::tempdir().unwrap();
        let keys = Keys::load(home.path()).unwrap();
        let cookie = cookie(&keys, &DeviceAccount::new(7, Some("hash"), None), 1_000).unwrap();
        for other in [
            DeviceAccount::new(8, Some("hash"), None),
            DeviceAccount::new(7, Some("other"), None),
            DeviceAccount::new(7, None, None),
            DeviceAccount::new(7, Some("hash"), Some(5)),
        ] {
            assert!(!is_of(&keys, &cookie, &other, 1_000), "{other:?}");
        }
    }
}
