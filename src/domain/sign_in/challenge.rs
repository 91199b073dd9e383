//! The second step of signing in: a code of the second factor.
//!
//! A challenge is kept by the client, sealed: the server remembers nothing of those who stop half-way.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{SignIn, Visitor, refused};
use crate::{
    auth::{
        throttle::{Kind, Who},
        tokens,
    },
    clock::MINUTE,
    domain::{
        access::{Call, Reads},
        second_factor::{self, Method},
        sessions::{self, Begun, OrgChoice},
        store,
    },
    error::{Error, Result},
};

/// How long there is to answer, in milliseconds.
const LIFETIME: i64 = 5 * MINUTE;

const PURPOSE: &str = "challenge";

/// What is to be answered before a session begins.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Challenge {
    /// Goes into the answer as `challengeId`; good for five minutes.
    pub id: String,
    /// How it can be answered.
    pub methods: Vec<Method>,
}

/// The answer to a challenge.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ChallengeAnswer {
    /// The challenge's `id`.
    #[schema(max_length = 2000)]
    pub challenge_id: String,
    /// Which code it is.
    pub method: Method,
    /// The code; spaces and dashes in it do not matter.
    #[schema(example = "287082", max_length = 100)]
    pub code: String,
}

/// What a challenge holds, sealed.
#[derive(Serialize, Deserialize)]
struct Sealed {
    user_id: i64,
    choice: Option<String>,
    issued: i64,
    /// Of the password hash: another password ends what the old one began.
    fingerprint: String,
}

const EXPIRED: Error = Error::Unauthenticated("this sign-in took too long, or was none; start again with the password");
const WRONG_CODE: Error = Error::Unauthenticated("the code is wrong, or was used already; wait for the next one");

impl SignIn {
    /// A challenge for a user whose password, known by `hash`, was right.
    pub(super) fn challenge(&self, user_id: i64, choice: &OrgChoice, hash: Option<&str>) -> Result<Challenge> {
        let shared = self.gate.shared();
        let choice = if let OrgChoice::One(id) = choice { Some(id.clone()) } else { None };
        let sealed = Sealed { user_id, choice, issued: shared.clock.now(), fingerprint: fingerprint(hash) };
        let id = URL_SAFE_NO_PAD.encode(shared.keys.seal(PURPOSE, &serde_json::to_vec(&sealed)?)?);
        Ok(Challenge { id, methods: vec![Method::Totp, Method::RecoveryCode] })
    }

    /// Begins a session for whoever answers a challenge rightly.
    pub async fn verify(&self, call: Call, visitor: Visitor, answer: ChallengeAnswer) -> Result<Begun> {
        let ChallengeAnswer { challenge_id, method, code } = answer;
        let Sealed { user_id, choice, fingerprint: expected, .. } = self.opened(&challenge_id).ok_or(EXPIRED)?;
        let known = self.gate.public_view(call.clone(), move |tx| sessions::device_account(tx.core(), user_id)).await?;
        let counted = self.counted(&visitor, Some((user_id, &known)), Who::user(user_id));
        let attempt = self.throttle.attempt(Kind::SecondFactor, counted)?;
        let choice = choice.map_or(OrgChoice::First, OrgChoice::One);
        let begun = self.gate.public(call, move |tx| {
            let hash = store::users::password_hash(tx.core().conn, user_id)?;
            if fingerprint(hash.as_deref()) != expected {
                return Err(EXPIRED);
            }
            if second_factor::take(tx.core(), user_id, method, &code)? {
                sessions::begin(tx, user_id, &choice, visitor.user_agent.as_deref()).map(Some)
            } else {
                refused(tx, Some(user_id), method.as_str()).map(|()| None)
            }
        });
        let begun = begun.await?.ok_or(WRONG_CODE)?;
        attempt.succeeded();
        Ok(begun)
    }

    fn opened(&self, id: &str) -> Option<Sealed> {
        let shared = self.gate.shared();
        let opened = shared.keys.open(PURPOSE, &URL_SAFE_NO_PAD.decode(id).ok()?).ok()?;
        let sealed: Sealed = serde_json::from_slice(&opened).ok()?;
        (sealed.issued + LIFETIME > shared.clock.now()).then_some(sealed)
    }
}

fn fingerprint(hash: Option<&str>) -> String {
    URL_SAFE_NO_PAD.encode(&tokens::hash(hash.unwrap_or_default())[..16])
}
