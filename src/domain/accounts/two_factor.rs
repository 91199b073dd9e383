//! Two-factor authentication: an authenticator app, and recovery codes in case the app is lost.

use serde_json::json;

pub(in crate::domain) use super::model::two_factor::Factor;
pub use super::model::two_factor::{Method, NewSecondFactor, RecoveryCodes, SecondFactor};
pub(in crate::domain) use super::store::two_factor::delete;
use super::{passwords::Proof, sessions, store};
use crate::{
    auth::{TokenHash, second_factor},
    clock::SECOND,
    domain::{
        core::{Core, Reads, SessionTx},
        settings,
    },
    error::{Error, Result},
};

pub(in crate::domain) const PURPOSE: &str = "second-factor";

impl Factor {
    fn codes(&self) -> Result<Vec<String>> {
        Ok(serde_json::from_str(&self.recovery_codes)?)
    }

    /// Uses a code from the app. The code must be correct and belong to a later time step than the last used one.
    fn take_totp(&mut self, core: &Core<'_>, digits: &str) -> Result<bool> {
        let Ok(secret) = core.shared.keys.open(PURPOSE, &self.secret) else {
            tracing::warn!(
                "cannot decrypt a two-factor secret, because it was encrypted with other keys; the user can sign in with \
                 a recovery code, or `planroom admin reset-password` disables two-factor authentication"
            );
            return Ok(false);
        };
        let step = second_factor::step(&secret, digits, core.now / SECOND)?;
        let Some(step) = step.filter(|step| self.last_step.is_none_or(|last| last < *step)) else { return Ok(false) };
        self.last_step = Some(step);
        Ok(true)
    }

    /// Uses a recovery code and removes it.
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

/// Reads the two-factor authentication state of the caller.
pub fn read(tx: &SessionTx<'_>) -> Result<SecondFactor> {
    let factor = confirmed(tx.core(), tx.caller().user_id)?;
    Ok(SecondFactor {
        enabled: factor.is_some(),
        confirmed_at: factor.as_ref().and_then(|factor| factor.confirmed_at),
        recovery_codes_left: factor.map_or(Ok(0), |factor| factor.codes().map(|codes| codes.len()))?,
    })
}

/// Creates a secret for an app. Two-factor authentication stays off until a code is confirmed.
pub fn start(tx: &mut SessionTx<'_>, proof: &Proof) -> Result<NewSecondFactor> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    proof.still_holds(core)?;
    if confirmed(core, user_id)?.is_some() {
        return Err(Error::Conflict("a second factor is set up already; disable it before you set up another".into()));
    }
    let secret = second_factor::new_secret();
    let sealed = core.shared.keys.seal(PURPOSE, &secret)?;
    let factor = Factor { secret: sealed, confirmed_at: None, last_step: None, recovery_codes: "[]".into() };
    store::two_factor::put(core.conn, user_id, &factor)?;
    core.audit("second-factor.begin", Some(user_id), &json!({}))?;
    let url = second_factor::url(&secret, &settings::instance_name(core)?, proof.login())?;
    Ok(NewSecondFactor { secret: second_factor::shown(&secret), url })
}

/// Turns two-factor authentication on, with the first code from the app. Ends the caller's other sessions, which began
/// without a code.
pub fn confirm(tx: &mut SessionTx<'_>, digits: &str) -> Result<RecoveryCodes> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let factor = store::two_factor::of_user(core.conn, user_id)?.filter(|factor| factor.confirmed_at.is_none());
    let Some(mut factor) = factor else {
        return Err(Error::Conflict("there is nothing to confirm; set up a second factor first".into()));
    };
    if !factor.take_totp(core, digits)? {
        let text = "is not what the app shows now; check that the clock of its device is right";
        return Err(Error::invalid("code", text));
    }
    factor.confirmed_at = Some(core.now);
    let codes = factor.renew_codes()?;
    store::two_factor::put(core.conn, user_id, &factor)?;
    let ended = sessions::end_for_safety(core, user_id, tx.session_id())?;
    core.audit("second-factor.enable", Some(user_id), &json!({ "sessionsEnded": ended }))?;
    Ok(codes)
}

/// Message for a signed-in user who entered a wrong code.
pub(in crate::domain) const WRONG_CODE: &str =
    "the code is wrong, or was used already; give the next one of your authenticator app, or a recovery code";

/// Records in the audit log that the caller entered a wrong code.
pub(in crate::domain) fn not_proven(tx: &mut SessionTx<'_>) -> Result<()> {
    tx.core().audit("second-factor.refuse", Some(tx.caller().user_id), &json!({}))
}

/// Turns two-factor authentication off. Requires a code.
pub fn disable(tx: &mut SessionTx<'_>, proof: &Proof, answer: Option<&str>) -> Result<()> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    proof.still_holds(core)?;
    if confirmed(core, user_id)?.is_some() {
        take_any(core, user_id, answer)?;
    }
    let was_there = store::two_factor::delete(core.conn, user_id)?;
    core.audit("second-factor.disable", Some(user_id), &json!({ "wasThere": was_there }))
}

/// Replaces all recovery codes. Requires a code.
pub fn renew_codes(tx: &mut SessionTx<'_>, proof: &Proof, answer: Option<&str>) -> Result<RecoveryCodes> {
    let none = || Error::Conflict("there is no second factor to recover; set one up first".into());
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    proof.still_holds(core)?;
    confirmed(core, user_id)?.ok_or_else(none)?;
    take_any(core, user_id, answer)?;
    let mut factor = confirmed(core, user_id)?.ok_or_else(none)?;
    let codes = factor.renew_codes()?;
    store::two_factor::put(core.conn, user_id, &factor)?;
    core.audit("second-factor.recovery-codes", Some(user_id), &json!({}))?;
    Ok(codes)
}

/// Uses a code from the authenticator app or a recovery code. Fails if the code is wrong.
fn take_any(core: &Core<'_>, user_id: i64, answer: Option<&str>) -> Result<()> {
    let answer = answer.ok_or_else(|| Error::invalid("code", "is required while two-factor authentication is on"))?;
    if take_either(core, user_id, answer)? { Ok(()) } else { Err(Error::Forbidden(WRONG_CODE)) }
}

/// Uses a code from the authenticator app or a recovery code. Returns whether the code was correct.
pub(in crate::domain) fn take_either(core: &Core<'_>, user_id: i64, answer: &str) -> Result<bool> {
    Ok(take(core, user_id, Method::Totp, answer)? || take(core, user_id, Method::RecoveryCode, answer)?)
}

/// Whether signing in requires a code.
pub(in crate::domain) fn is_due(core: &Core<'_>, user_id: i64) -> Result<bool> {
    Ok(confirmed(core, user_id)?.is_some())
}

/// Uses a code at sign-in. Returns whether it was correct.
pub(in crate::domain) fn take(core: &Core<'_>, user_id: i64, method: Method, answer: &str) -> Result<bool> {
    let Some(mut factor) = confirmed(core, user_id)? else { return Ok(false) };
    let right = match method {
        Method::Totp => factor.take_totp(core, answer)?,
        Method::RecoveryCode => factor.take_recovery_code(answer)?,
    };
    if right {
        store::two_factor::put(core.conn, user_id, &factor)?;
    }
    Ok(right)
}

fn confirmed(core: &Core<'_>, user_id: i64) -> Result<Option<Factor>> {
    Ok(store::two_factor::of_user(core.conn, user_id)?.filter(|factor| factor.confirmed_at.is_some()))
}

fn hex(hash: &TokenHash) -> String {
    hash.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}
