//! Browsers that have signed in to an account before, known by a sealed cookie.
//!
//! The cookie opens nothing. It only says that whoever guesses from elsewhere is somebody else.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::keys::Keys;
use crate::{clock::DAY, error::Result};

/// How long a browser is remembered, in milliseconds.
pub const LIFETIME: i64 = 365 * DAY;

const PURPOSE: &str = "device";

/// The cookie for a browser in which `user_id` has just signed in. `now` is in Unix milliseconds.
pub fn cookie(keys: &Keys, user_id: i64, now: i64) -> Result<String> {
    Ok(URL_SAFE_NO_PAD.encode(keys.seal(PURPOSE, format!("{user_id} {now}").as_bytes())?))
}

/// Whose browser it is, if the cookie is ours and not too old.
pub fn user(keys: &Keys, cookie: &str, now: i64) -> Option<i64> {
    let opened = keys.open(PURPOSE, &URL_SAFE_NO_PAD.decode(cookie).ok()?).ok()?;
    let (user_id, made) = std::str::from_utf8(&opened).ok()?.split_once(' ')?;
    (made.parse::<i64>().ok()? + LIFETIME > now).then_some(user_id.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_remembered_for_a_year_and_cannot_be_made_up() {
        let home = tempfile::tempdir().unwrap();
        let keys = Keys::load(home.path()).unwrap();
        let cookie = cookie(&keys, 7, 1_000).unwrap();
        assert_eq!(user(&keys, &cookie, 1_000), Some(7));
        assert_eq!(user(&keys, &cookie, 999 + LIFETIME), Some(7));
        assert_eq!(user(&keys, &cookie, 1_000 + LIFETIME), None);
        assert_eq!(user(&keys, &URL_SAFE_NO_PAD.encode("7 1000"), 1_000), None);
        assert_eq!(user(&keys, "nonsense", 1_000), None);
    }
}
