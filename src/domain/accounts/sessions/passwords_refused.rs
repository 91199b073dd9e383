//! Sessions that started with a password, on instances that refuse passwords (`sso_only`).
//!
//! Only an account whose password the operator has set recently has such sessions, and they end when that password is
//! no longer accepted. Older password sessions end when the server starts with `sso_only`, and cannot be renewed.

use serde_json::json;

use crate::{
    domain::{
        accounts::store,
        core::{Core, Reads, SystemTx},
        users,
    },
    error::{Error, Result},
};

/// Error for a password sign-in on an instance with `sso_only`.
pub const SSO_ONLY: Error = Error::Forbidden(
    "passwords are not accepted here: sign in with the identity provider; `planroom admin reset-password` on the server \
     opens one account to its new password for an hour",
);

/// Expiry of a user's password session, given its expiry `expires_at` on an instance that accepts passwords. None if
/// the session is over.
pub(super) fn limited(core: &Core<'_>, user_id: i64, expires_at: i64) -> Result<Option<i64>> {
    if !core.shared.sessions.sso_only() {
        return Ok(Some(expires_at));
    }
    let open_until = users::password_open_until(core.conn, user_id)?.filter(|until| *until > core.now);
    Ok(open_until.map(|until| until.min(expires_at)))
}

/// Ends all password sessions if passwords are refused. Returns how many ended.
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
