//! Passwords of users: proven, changed by their owner, reset by the operator.

use serde_json::json;

use super::{
    access::{Core, Reads, SessionTx, SystemTx},
    invitations, sessions, store,
};
use crate::{
    clock::HOUR,
    error::{Error, Result},
};

/// A password hash that its owner's password was just held against, outside of any transaction.
#[derive(Debug, Clone)]
pub struct Proof {
    user_id: i64,
    login: String,
    display_name: String,
    password_hash: Option<String>,
}

impl Proof {
    /// The account.
    pub fn user_id(&self) -> i64 {
        self.user_id
    }

    /// What its owner signs in with.
    pub fn login(&self) -> &str {
        &self.login
    }

    /// Its owner's name for display.
    pub fn display_name(&self) -> &str {
        &self.display_name
    }

    /// The hash; none for accounts without a password.
    pub fn password_hash(&self) -> Option<&str> {
        self.password_hash.as_deref()
    }

    /// Refuses when the password was changed since it was held against the hash.
    pub(super) fn still_holds(&self, core: &Core<'_>) -> Result<()> {
        let now = store::users::password_hash(core.conn, self.user_id)?;
        if now.is_some() && now == self.password_hash { Ok(()) } else { Err(WRONG) }
    }
}

/// A user who is known to be one gave a wrong password.
pub(super) const WRONG: Error = Error::Forbidden("the password is wrong; give the one that you sign in with now");

/// What the caller's password is to be held against.
pub fn to_prove(tx: &SessionTx<'_>) -> Result<Proof> {
    let (conn, user_id) = (tx.core().conn, tx.caller().user_id);
    let user = store::users::by_id(conn, user_id)?.ok_or(Error::NotFound("user"))?;
    let password_hash = store::users::password_hash(conn, user_id)?;
    Ok(Proof { user_id, login: user.login, display_name: user.display_name, password_hash })
}

/// Notes that the caller gave a wrong password.
pub fn not_proven(tx: &mut SessionTx<'_>) -> Result<()> {
    tx.core().audit("password.refuse", Some(tx.caller().user_id), &json!({}))
}

/// What else ends with a password.
#[derive(Debug, Clone, Copy, Default)]
pub struct AlsoEnds {
    /// Personal access tokens.
    pub tokens: bool,
    /// What connected apps were granted.
    pub connectors: bool,
}

/// Changes the caller's password, and ends their other sessions. Browsers that signed in before are no longer known; the
/// answer is the cookie by which the caller's own is.
pub fn change(tx: &mut SessionTx<'_>, proof: &Proof, hash: &str, also: AlsoEnds) -> Result<Option<String>> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    proof.still_holds(core)?;
    store::users::set_password_hash(core.conn, user_id, hash)?;
    let ended = sessions::end_for_safety(core, user_id, tx.session_id())?;
    let tokens = if also.tokens { store::tokens::revoke_all(core.conn, user_id, core.now)? } else { 0 };
    let grants = if also.connectors { store::connectors::revoke_of_user(core.conn, user_id, core.now)? } else { 0 };
    invitations::end_unauthorized(core, user_id)?;
    let details = json!({ "sessionsEnded": ended, "tokensRevoked": tokens, "grantsRevoked": grants });
    core.audit("password.change", Some(user_id), &details)?;
    sessions::device_cookie(core, user_id).map(Some)
}

/// For how long a password that the operator has set is accepted where passwords are not, in milliseconds.
const OPEN: i64 = HOUR;

/// The way back in: the operator has set a password, and for an hour it is accepted even where passwords are not.
pub(super) fn open(core: &Core<'_>, user_id: i64) -> Result<()> {
    store::users::open_password(core.conn, user_id, core.now + OPEN)
}

/// Gives a user another password, ends all their sessions and removes their second factor. Answers with their id.
pub fn reset(tx: &mut SystemTx<'_>, login: &str, hash: &str) -> Result<i64> {
    let core = tx.core();
    let (user, _) = store::users::by_login(core.conn, login)?
        .ok_or_else(|| Error::invalid("--login", format!("there is no user `{login}`")))?;
    store::users::set_password_hash(core.conn, user.id, hash)?;
    open(core, user.id)?;
    let ended = sessions::end_for_safety(core, user.id, None)?;
    let had_factor = store::second_factors::delete(core.conn, user.id)?;
    let details = json!({ "userId": user.id, "sessionsEnded": ended, "secondFactorRemoved": had_factor });
    core.audit("password.reset", None, &details)?;
    Ok(user.id)
}
