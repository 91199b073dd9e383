//! User passwords: verified, changed by their user, and reset by the operator.

use serde_json::json;

use super::{sessions, store};
use crate::{
    clock::HOUR,
    domain::{
        core::{Core, Reads, SessionTx, SystemTx},
        organizations::invitations,
        users,
    },
    error::{Error, Result},
};

/// A password hash that the user's password was verified against, outside of any transaction.
#[derive(Debug, Clone)]
pub struct Proof {
    user_id: i64,
    login: String,
    display_name: String,
    password_hash: Option<String>,
}

impl Proof {
    /// Id of the user.
    pub fn user_id(&self) -> i64 {
        self.user_id
    }

    /// Login name of the user.
    pub fn login(&self) -> &str {
        &self.login
    }

    /// Display name of the user.
    pub fn display_name(&self) -> &str {
        &self.display_name
    }

    /// The password hash; none for an account without a password.
    pub fn password_hash(&self) -> Option<&str> {
        self.password_hash.as_deref()
    }

    /// Fails if the password changed since it was verified.
    pub(in crate::domain) fn still_holds(&self, core: &Core<'_>) -> Result<()> {
        let now = users::password_hash(core.conn, self.user_id)?;
        if now.is_some() && now == self.password_hash { Ok(()) } else { Err(WRONG) }
    }
}

/// Error for a signed-in user who entered a wrong password.
pub(in crate::domain) const WRONG: Error =
    Error::Forbidden("the password is wrong; give the one that you sign in with now");

/// Reads what the caller's password is verified against.
pub fn to_prove(tx: &SessionTx<'_>) -> Result<Proof> {
    let (conn, user_id) = (tx.core().conn, tx.caller().user_id);
    let user = users::by_id(conn, user_id)?.ok_or(Error::NotFound("user"))?;
    let password_hash = users::password_hash(conn, user_id)?;
    Ok(Proof { user_id, login: user.login, display_name: user.display_name, password_hash })
}

/// Records in the audit log that the caller entered a wrong password.
pub fn not_proven(tx: &mut SessionTx<'_>) -> Result<()> {
    tx.core().audit("password.refuse", Some(tx.caller().user_id), &json!({}))
}

/// What else to revoke when a password changes.
#[derive(Debug, Clone, Copy, Default)]
pub struct AlsoRevoke {
    /// Revoke personal access tokens.
    pub tokens: bool,
    /// Disconnect connected apps.
    pub connectors: bool,
}

/// Changes the caller's password and ends their other sessions. Device cookies become invalid; returns a new one for
/// the caller's browser.
pub fn change(tx: &mut SessionTx<'_>, proof: &Proof, hash: &str, also: AlsoRevoke) -> Result<Option<String>> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    proof.still_holds(core)?;
    users::set_password_hash(core.conn, user_id, hash)?;
    let ended = sessions::end_for_safety(core, user_id, tx.session_id())?;
    let tokens = if also.tokens { store::tokens::revoke_all(core.conn, user_id, core.now)? } else { 0 };
    let grants = if also.connectors { store::connectors::revoke_of_user(core.conn, user_id, core.now)? } else { 0 };
    invitations::end_unauthorized(core, user_id)?;
    let details = json!({ "sessionsEnded": ended, "tokensRevoked": tokens, "grantsRevoked": grants });
    core.audit("password.change", Some(user_id), &details)?;
    sessions::device_cookie(core, user_id).map(Some)
}

/// How long a password set by the operator is accepted if passwords are refused, in milliseconds.
const OPEN: i64 = HOUR;

/// Accepts the user's password for an hour even if passwords are refused. This restores access after the operator has
/// set a password.
pub(in crate::domain) fn open(core: &Core<'_>, user_id: i64) -> Result<()> {
    users::open_password(core.conn, user_id, core.now + OPEN)
}

/// Sets a user's password, ends all their sessions, and turns off two-factor authentication. Returns the id of the
/// user.
pub fn reset(tx: &mut SystemTx<'_>, login: &str, hash: &str) -> Result<i64> {
    let core = tx.core();
    let (user, _) = users::by_login(core.conn, login)?.ok_or_else(|| {
        Error::invalid("--login", format!("there is no user `{login}`; `planroom user list` lists all"))
    })?;
    users::set_password_hash(core.conn, user.id, hash)?;
    open(core, user.id)?;
    let ended = sessions::end_for_safety(core, user.id, None)?;
    let had_factor = store::two_factor::delete(core.conn, user.id)?;
    let details = json!({ "userId": user.id, "sessionsEnded": ended, "secondFactorRemoved": had_factor });
    core.audit("password.reset", None, &details)?;
    Ok(user.id)
}
