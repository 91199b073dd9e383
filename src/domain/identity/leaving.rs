//! Signing out at the provider, for those who signed in there.
//!
//! The provider wants its ID token back, to know whose session it is to end. The browser keeps it, sealed, and the server
//! does not: it is in no copy of the database, and goes with the browser's session.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::Identity;
use crate::{auth::oidc::Provider, error::Result, secret::Secret};

/// What an ID token is sealed for.
const PURPOSE: &str = "oidc-hint";
/// Longest sealed token that is kept, in characters: some proxies take no more than 4 KiB for the head of an answer, of
/// which this is the largest part. Without it the provider asks whether one wants to sign out.
const LONGEST: usize = 2_500;

/// What a browser keeps until it signs out.
#[derive(Debug)]
pub struct Hint {
    /// The ID token, sealed; empty for one that is too long, so that one from before does not stay.
    pub kept: String,
    /// For how long, in milliseconds: as long as the session lasts at the most; 0 for none.
    pub lifetime: i64,
}

impl Identity {
    /// Where a browser goes on to whose session has ended here and began at the provider; `kept` is what it has kept. None
    /// when signing out here is not signing out there.
    pub async fn leave(&self, kept: Option<String>) -> Option<String> {
        let provider = self.provider.as_ref().filter(|provider| provider.signs_in())?;
        let keys = &self.gate.shared().keys;
        let opened = kept.and_then(|kept| keys.open(PURPOSE, &URL_SAFE_NO_PAD.decode(kept).ok()?).ok());
        let hint = opened.and_then(|opened| String::from_utf8(opened).ok());
        provider.sign_out_url(hint.as_deref()).await.map(String::from)
    }

    /// What the browser of somebody who has just signed in keeps.
    pub(super) fn hint(&self, provider: &Provider, id_token: &Secret) -> Result<Option<Hint>> {
        let shared = self.gate.shared();
        let Some(external) = shared.sessions.external.as_ref().filter(|_| provider.signs_out()) else {
            return Ok(None);
        };
        let kept = URL_SAFE_NO_PAD.encode(shared.keys.seal(PURPOSE, id_token.reveal().as_bytes())?);
        let fits = kept.len() <= LONGEST;
        Ok(Some(if fits {
            Hint { kept, lifetime: external.session_lifetime }
        } else {
            Hint { kept: String::new(), lifetime: 0 }
        }))
    }

    /// Extends what a browser stored before its user decided about a link, for the session that follows the decision.
    pub fn extend_hint(&self, kept: Option<String>) -> Option<Hint> {
        let external = self.gate.shared().sessions.external.as_ref()?;
        self.provider.as_ref().filter(|provider| provider.signs_out())?;
        kept.map(|kept| Hint { kept, lifetime: external.session_lifetime })
    }
}
