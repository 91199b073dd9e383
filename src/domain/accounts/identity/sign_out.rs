//! Sign-out at the identity provider, for users who signed in there.
//!
//! The provider needs its ID token to identify the session to end. The token is stored sealed in the browser, not on
//! the server: it is not part of database backups and is removed with the browser's session.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::IdentityService;
pub use super::model::SignOutHint;
use crate::{auth::oidc::Provider, error::Result, secret::Secret};

/// Purpose of the seal.
const PURPOSE: &str = "oidc-hint";
/// Maximum length of a stored sealed token, in characters. Some proxies limit response headers to 4 KiB, of which the
/// token is the largest part. Without the token, the provider asks the user to confirm signing out.
const MAX_HINT_BYTES: usize = 2_500;

impl IdentityService {
    /// Returns the provider's sign-out URL for a session that began at the provider and has ended here. `cookie` is the
    /// value stored by the browser. None if the provider has no sign-out.
    pub async fn sign_out_url(&self, cookie: Option<String>) -> Option<String> {
        let provider = self.provider.as_ref().filter(|provider| provider.signs_in())?;
        let keys = &self.gate.shared().keys;
        let opened = cookie.and_then(|cookie| keys.open(PURPOSE, &URL_SAFE_NO_PAD.decode(cookie).ok()?).ok());
        let hint = opened.and_then(|opened| String::from_utf8(opened).ok());
        provider.sign_out_url(hint.as_deref()).await.map(String::from)
    }

    /// The value that a browser stores after sign-in.
    pub(super) fn hint(&self, provider: &Provider, id_token: &Secret) -> Result<Option<SignOutHint>> {
        let shared = self.gate.shared();
        let Some(external) = shared.sessions.external.as_ref().filter(|_| provider.signs_out()) else {
            return Ok(None);
        };
        let cookie = URL_SAFE_NO_PAD.encode(shared.keys.seal(PURPOSE, id_token.reveal().as_bytes())?);
        let fits = cookie.len() <= MAX_HINT_BYTES;
        Ok(Some(if fits {
            SignOutHint { cookie, lifetime: external.session_lifetime }
        } else {
            SignOutHint { cookie: String::new(), lifetime: 0 }
        }))
    }

    /// Extends the value that a browser stored before its user decided about a link, for the session that follows the
    /// decision.
    pub fn extend_hint(&self, cookie: Option<String>) -> Option<SignOutHint> {
        let external = self.gate.shared().sessions.external.as_ref()?;
        self.provider.as_ref().filter(|provider| provider.signs_out())?;
        cookie.map(|cookie| SignOutHint { cookie, lifetime: external.session_lifetime })
    }
}
