//! The second factor of an account: an authenticator app, and recovery codes for when it is lost.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    access::{Core, Reads, SessionTx},
    passwords::Proof,
    sessions, settings, store,
    values::words,
};
use crate::{
    auth::{TokenHash, second_factor},
    clock::SECOND,
    error::{Error, Result},
};

pub(super) const PURPOSE: &str = "second-factor";

/// Whether the caller's sign-in asks for a code.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// Whether signing in asks for a code.
    pub enabled: bool,
    /// Since when, Unix milliseconds.
    #[schema(required)]
    pub confirmed_at: Option<i64>,
    /// How many recovery codes were not used yet.
    #[schema(example = 10)]
    pub recovery_codes_left: usize,
}

/// What an authenticator app needs to know. Shown once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewSecondFactor {
    /// The secret, to be typed into the app.
    #[schema(example = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")]
    pub secret: String,
    /// The same for a picture that the app reads.
    #[schema(example = "otpauth://totp/Planroom:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Planroom")]
    pub url: String,
}

/// Codes for when the app is lost. Shown once; each works once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// The codes.
    #[schema(example = json!(["4Q7X-0K9M-ZT2V-8H3D"]))]
    pub recovery_codes: Vec<String>,
}

words! {
    /// How a second factor is shown.
    Method {
        /// A code of the authenticator app.
        Totp = "totp",
        /// One of the recovery codes.
        RecoveryCode = "recovery-code",
    }
}

/// A second factor as it is stored.
#[derive(Debug, Clone)]
pub(in crate::domain) struct Factor {
    /// Sealed.
    pub secret: Vec<u8>,
    pub confirmed_at: Option<i64>,
    pub last_step: Option<i64>,
    /// JSON: the SHA-256 of each unused code, in hexadecimal digits.
    pub recovery_codes: String,
}

impl Factor {
    fn codes(&self) -> Result<Vec<String>> {
        Ok(serde_json::from_str(&self.recovery_codes)?)
    }

    /// Takes a code of the app: right, and of a later step than the last one taken.
    fn take_totp(&mut self, core: &Core<'_>, digits: &str) -> Result<bool> {
        let Ok(secret) = core.shared.keys.open(PURPOSE, &self.secret) else {
            tracing::warn!("a two-factor secret was sealed with other keys; the user needs a recovery code");
            return Ok(false);
        };
        let step = second_factor::step(&secret, digits, core.now / SECOND)?;
        let Some(step) = step.filter(|step| self.last_step.is_none_or(|last| last < *step)) else { return Ok(false) };
        self.last_step = Some(step);
        Ok(true)
    }

    /// Takes a recovery code, which is gone then.
    fn take_recovery_code(&mut self, code: &str) -> Result<bool> {
        let Some(hash) = second_factor::recovery_hash(code).map(|hash| hex(&hash)) else { return Ok(false) };
        let mut codes = self.codes()?;
        let Some(at) = codes.iter().position(|known| *known == hash) else { return Ok(false) };
        codes.remove(at);
        self.recovery_codes = serde_json::to_string(&codes)?;
        Ok(true)
    }

    fn renew_codes(&mut self) -> Result<RecoveryCodes> {
        let recovery_codes = second_factor::new_recovery_codes();
        let hashes = recovery_codes.iter().filter_map(|code| second_factor::recovery_hash(code));
        self.recovery_codes = serde_json::to_string(&hashes.map(|hash| hex(&hash)).collect::<Vec<_>>())?;
        Ok(RecoveryCodes { recovery_codes })
    }
}

/// Whether the caller's sign-in asks for a code.
pub fn read(tx: &SessionTx<'_>) -> Result<SecondFactor> {
    let factor = confirmed(tx.core(), tx.caller().user_id)?;
    Ok(SecondFactor {
        enabled: factor.is_some(),
        confirmed_at: factor.as_ref().and_then(|factor| factor.confirmed_at),
        recovery_codes_left: factor.map_or(Ok(0), |factor| factor.codes().map(|codes| codes.len()))?,
    })
}

/// Makes a secret for an app. It counts for nothing before a code of it was confirmed.
pub fn begin(tx: &mut SessionTx<'_>, proof: &Proof) -> Result<NewSecondFactor> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    proof.still_holds(core)?;
    if confirmed(core, user_id)?.is_some() {
        return Err(Error::Conflict("a second factor is set up already; disable it before you set up another".into()));
    }
    let secret = second_factor::new_secret();
    let sealed = core.shared.keys.seal(PURPOSE, &secret)?;
    let factor = Factor { secret: sealed, confirmed_at: None, last_step: None, recovery_codes: "[]".into() };
    store::second_factors::put(core.conn, user_id, &factor)?;
    core.audit("second-factor.begin", Some(user_id), &json!({}))?;
    let url = second_factor::url(&secret, &settings::instance_name(core)?, proof.login())?;
    Ok(NewSecondFactor { secret: second_factor::shown(&secret), url })
}

/// Switches the second factor on, with the first code of the app. The caller's other sessions, which began without it, end.
pub fn confirm(tx: &mut SessionTx<'_>, digits: &str) -> Result<RecoveryCodes> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let factor = store::second_factors::of_user(core.conn, user_id)?.filter(|factor| factor.confirmed_at.is_none());
    let Some(mut factor) = factor else {
        return Err(Error::Conflict("there is nothing to confirm; set up a second factor first".into()));
    };
    if !factor.take_totp(core, digits)? {
        let text = "is not what the app shows now; check that the clock of its device is right";
        return Err(Error::invalid("code", text));
    }
    factor.confirmed_at = Some(core.now);
    let codes = factor.renew_codes()?;
    store::second_factors::put(core.conn, user_id, &factor)?;
    let ended = sessions::end_for_safety(core, user_id, tx.session_id())?;
    core.audit("second-factor.enable", Some(user_id), &json!({ "sessionsEnded": ended }))?;
    Ok(codes)
}

/// A user who is signed in gave a wrong code.
pub(super) const WRONG_CODE: &str =
    "the code is wrong, or was used already; give the next one of your authenticator app, or a recovery code";

/// Notes that the caller gave a wrong code.
pub(super) fn not_proven(tx: &mut SessionTx<'_>) -> Result<()> {
    tx.core().audit("second-factor.refuse", Some(tx.caller().user_id), &json!({}))
}

/// Switches the second factor off, with a code of it.
pub fn disable(tx: &mut SessionTx<'_>, proof: &Proof, answer: Option<&str>) -> Result<()> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    proof.still_holds(core)?;
    if confirmed(core, user_id)?.is_some() {
        take_any(core, user_id, answer)?;
    }
    let was_there = store::second_factors::delete(core.conn, user_id)?;
    core.audit("second-factor.disable", Some(user_id), &json!({ "wasThere": was_there }))
}

/// New recovery codes in the place of all that are left, for a code.
pub fn renew_codes(tx: &mut SessionTx<'_>, proof: &Proof, answer: Option<&str>) -> Result<RecoveryCodes> {
    let none = || Error::Conflict("there is no second factor to recover; set one up first".into());
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    proof.still_holds(core)?;
    confirmed(core, user_id)?.ok_or_else(none)?;
    take_any(core, user_id, answer)?;
    let mut factor = confirmed(core, user_id)?.ok_or_else(none)?;
    let codes = factor.renew_codes()?;
    store::second_factors::put(core.conn, user_id, &factor)?;
    core.audit("second-factor.recovery-codes", Some(user_id), &json!({}))?;
    Ok(codes)
}

/// Takes a code of the app or a recovery code, whichever it is.
fn take_any(core: &Core<'_>, user_id: i64, answer: Option<&str>) -> Result<()> {
    let answer = answer.ok_or_else(|| Error::invalid("code", "is required while two-factor authentication is on"))?;
    if take_either(core, user_id, answer)? { Ok(()) } else { Err(Error::Forbidden(WRONG_CODE)) }
}

/// Uses a code from the authenticator app or a recovery code. Returns whether it was right.
pub(super) fn take_either(core: &Core<'_>, user_id: i64, answer: &str) -> Result<bool> {
    Ok(take(core, user_id, Method::Totp, answer)? || take(core, user_id, Method::RecoveryCode, answer)?)
}

/// Whether signing in asks for a code.
pub(super) fn is_due(core: &Core<'_>, user_id: i64) -> Result<bool> {
    Ok(confirmed(core, user_id)?.is_some())
}

/// Takes a code at sign-in, if it is right.
pub(super) fn take(core: &Core<'_>, user_id: i64, method: Method, answer: &str) -> Result<bool> {
    let Some(mut factor) = confirmed(core, user_id)? else { return Ok(false) };
    let right = match method {
        Method::Totp => factor.take_totp(core, answer)?,
        Method::RecoveryCode => factor.take_recovery_code(answer)?,
    };
    if right {
        store::second_factors::put(core.conn, user_id, &factor)?;
    }
    Ok(right)
}

fn confirmed(core: &Core<'_>, user_id: i64) -> Result<Option<Factor>> {
    Ok(store::second_factors::of_user(core.conn, user_id)?.filter(|factor| factor.confirmed_at.is_some()))
}

fn hex(hash: &TokenHash) -> String {
    hash.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}
