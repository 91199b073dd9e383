//! The second step of signing in: a two-factor authentication code.
//!
//! The client stores the challenge, which is encrypted. The server stores no state for sign-ins that are not completed.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

pub use super::model::{Challenge, ChallengeVerification};
use super::{SignIn, Visitor, refused};
use crate::{
    auth::{
        throttle::{AttemptKind, LimitKey},
        tokens,
    },
    clock::MINUTE,
    domain::{
        accounts::{
            sessions::{self, NewSession, OrgChoice},
            two_factor::{self, Method},
        },
        core::{Call, Reads, access::Public},
        users,
    },
    error::{Error, Result},
};

/// How long a challenge can be answered, in milliseconds.
const LIFETIME: i64 = 5 * MINUTE;

const PURPOSE: &str = "challenge";

/// Encrypted content of a challenge.
#[derive(Serialize, Deserialize)]
struct ChallengeState {
    user_id: i64,
    choice: Option<String>,
    issued: i64,
    /// Fingerprint of the password hash: after a password change, earlier challenges are invalid.
    fingerprint: String,
}

const EXPIRED: Error = Error::Unauthenticated("this sign-in took too long, or was none; start again with the password");
const WRONG_CODE: Error = Error::Unauthenticated("the code is wrong, or was used already; wait for the next one");

impl SignIn {
    /// Creates a challenge for a user who entered the correct password. `hash` is the hash of that password.
    pub(super) fn challenge(&self, user_id: i64, choice: &OrgChoice, hash: Option<&str>) -> Result<Challenge> {
        let shared = self.gate.shared();
        let choice = if let OrgChoice::One(id) = choice { Some(id.clone()) } else { None };
        let sealed = ChallengeState { user_id, choice, issued: shared.clock.now(), fingerprint: fingerprint(hash) };
        let id = URL_SAFE_NO_PAD.encode(shared.keys.seal(PURPOSE, &serde_json::to_vec(&sealed)?)?);
        Ok(Challenge { id, methods: vec![Method::Totp, Method::RecoveryCode] })
    }

    /// Starts a session if the code is correct.
    pub async fn verify(
        &self,
        call: Call<Public>,
        visitor: Visitor,
        answer: ChallengeVerification,
    ) -> Result<NewSession> {
        let ChallengeVerification { challenge_id, method, code } = answer;
        let ChallengeState { user_id, choice, fingerprint: expected, .. } =
            self.opened(&challenge_id).ok_or(EXPIRED)?;
        let known = self.gate.read(call.clone(), (), move |tx| sessions::device_account(tx.core(), user_id)).await?;
        let counted = self.counted(&visitor, Some((user_id, &known)), LimitKey::user(user_id));
        let attempt = self.throttle.attempt(AttemptKind::SecondFactor, counted)?;
        let choice = choice.map_or(OrgChoice::First, OrgChoice::One);
        let begun = self.gate.write_unstored(call, (), move |tx| {
            let hash = users::password_hash(tx.core().conn, user_id)?;
            if fingerprint(hash.as_deref()) != expected {
                return Err(EXPIRED);
            }
            if two_factor::take(tx.core(), user_id, method, &code)? {
                sessions::start(tx, user_id, &choice, visitor.user_agent.as_deref()).map(Some)
            } else {
                refused(tx, Some(user_id), method.as_str()).map(|()| None)
            }
        });
        let begun = begun.await?.ok_or(WRONG_CODE)?;
        attempt.succeeded();
        Ok(begun)
    }

    fn opened(&self, id: &str) -> Option<ChallengeState> {
        let shared = self.gate.shared();
        let opened = shared.keys.open(PURPOSE, &URL_SAFE_NO_PAD.decode(id).ok()?).ok()?;
        let sealed: ChallengeState = serde_json::from_slice(&opened).ok()?;
        (sealed.issued + LIFETIME > shared.clock.now()).then_some(sealed)
    }
}

fn fingerprint(hash: Option<&str>) -> String {
    URL_SAFE_NO_PAD.encode(&tokens::hash(hash.unwrap_or_default())[..16])
}
