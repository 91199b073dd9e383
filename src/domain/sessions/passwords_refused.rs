//! Sessions that began with a password, where passwords are refused (`sso_only`).
//!
//! Only an account that the operator has opened to its password has such sessions, and they end with that time. Those from
//! before end when the server starts with `sso_only`, and cannot be renewed.

use serde_json::json;

use crate::{
    domain::{
        access::{Core, Reads, SystemTx},
        store,
    },
    error::{Error, Result},
};

/// The operator wants everybody to sign in elsewhere.
pub const SSO_ONLY: Error = Error::Forbidden(
    "passwords are not accepted here: sign in with the identity provider; `planroom admin reset-password` on the server \
     opens one account to its new password for an hour",
);

/// Until when a session of the user that began with a password lasts, if it is to last until `expires_at` where passwords
/// are accepted. None: it is over.
pub(super) fn limited(core: &Core<'_>, user_id: i64, expires_at: i64) -> Result<Option<i64>> {
    if !core.shared.sessions.sso_only() {
        return Ok(Some(expires_at));
    }
    let open_until = store::users::password_open_until(core.conn, user_id)?.filter(|until| *until > core.now);
    Ok(open_until.map(|until| until.min(expires_at)))
}

/// Ends, where passwords are refused, the sessions that began with one. Returns how many there were.
pub fn end_password_sessions(tx: &mut SystemTx<'_>) -> Result<usize> {
    let core = tx.core();
    if !core.shared.sessions.sso_only() {
        return Ok(0);
    }
    let ended = store::sessions::end_by_password(core.conn, core.now)?;
    if ended > 0 {
        core.audit("session.end-by-password", None, &json!({ "sessions": ended }))?;
    }
    Ok(ended)
}
