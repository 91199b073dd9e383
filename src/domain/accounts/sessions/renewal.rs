//! Renewing a session: each refresh token can be used once.
//!
//! Two browser tabs may renew with the same token at the same time, so for 30 seconds the second request gets the same
//! new token as the first one. Any other reuse means that the token or its successor was stolen: the session ends.

use serde_json::json;

use super::{
    super::model::sessions::LIFETIME, IDLE_LIFETIME, OrgChoice, active_user, chosen, issue, passwords_refused,
};
pub(in crate::domain) use crate::domain::accounts::model::sessions::Renewable;
pub use crate::domain::accounts::model::sessions::Renewal;
use crate::{
    auth::refresh::RefreshToken,
    clock::SECOND,
    domain::{
        accounts::store,
        core::{Core, PublicTx, Reads},
        organizations::invitations,
    },
    error::{Error, Result},
};

/// How long the previous token can be reused, in milliseconds.
const REUSE_GRACE_PERIOD: i64 = 30 * SECOND;

const PURPOSE: &str = "refresh";

/// Renews the session of `token`. Ends the session if the token was used before. That is not an error, because the
/// transaction must be committed.
pub fn renew(tx: &mut PublicTx<'_>, token: &RefreshToken, choice: &OrgChoice) -> Result<Renewal> {
    let core = tx.core();
    let Some(session) = store::sessions::by_family(core.conn, &token.family_hash(), core.now)? else {
        return Ok(Renewal::Over);
    };
    let lifetime = core.now + IDLE_LIFETIME;
    let expires_at = match session.ends_at {
        Some(ends_at) => lifetime.min(ends_at),
        None => match passwords_refused::limited(core, session.user_id, lifetime.min(session.created_at + LIFETIME))? {
            Some(expires_at) => expires_at,
            None => return over(core, &session, "session.end"),
        },
    };
    let next = if token.hash() == session.refresh_hash {
        rotate(core, &session, token, expires_at)?
    } else if let Some(next) = successor(core, &session, token)? {
        next
    } else {
        // Another person has used the session, so its invitations may be theirs.
        invitations::end_of_session(core, session.user_id, session.id)?;
        return over(core, &session, "session.reuse");
    };
    let user = active_user(core, session.user_id)?;
    let organization = chosen(core, session.user_id, choice)?;
    Ok(Renewal::Renewed(Box::new(issue(core, session.id, user, organization)?), next))
}

/// Ends the session and writes an audit event of kind `why`.
fn over(core: &Core<'_>, session: &Renewable, why: &str) -> Result<Renewal> {
    store::sessions::end(core.conn, session.user_id, session.id, core.now)?;
    core.audit(why, None, &json!({ "sessionId": session.id, "userId": session.user_id }))?;
    Ok(Renewal::Over)
}

/// Ends the session of `token`, if it is active. Returns whether it was active and started at the identity provider.
pub fn end_by_token(tx: &mut PublicTx<'_>, token: &RefreshToken) -> Result<bool> {
    let core = tx.core();
    let found = store::sessions::by_family(core.conn, &token.family_hash(), core.now)?;
    let Some(session) = found else { return Ok(false) };
    store::sessions::end(core.conn, session.user_id, session.id, core.now)?;
    core.audit("session.end", Some(session.user_id), &json!({ "sessionId": session.id }))?;
    Ok(session.ends_at.is_some())
}

fn rotate(core: &Core<'_>, session: &Renewable, token: &RefreshToken, expires_at: i64) -> Result<RefreshToken> {
    let next = token.successor();
    let sealed = core.shared.keys.seal(PURPOSE, next.reveal().as_bytes())?;
    store::sessions::rotate(core.conn, session.id, &next.hash(), &sealed, core.now, expires_at)?;
    Ok(next)
}

/// Successor of the previous token, while two tabs may be using that token at the same time.
fn successor(core: &Core<'_>, session: &Renewable, token: &RefreshToken) -> Result<Option<RefreshToken>> {
    let fresh = session.rotated_at.is_some_and(|rotated| core.now - rotated <= REUSE_GRACE_PERIOD);
    match &session.successor {
        Some(sealed) if fresh && session.previous_hash == Some(token.hash()) => {
            let opened = core.shared.keys.open(PURPOSE, sealed)?;
            let text = std::str::from_utf8(&opened).map_err(Error::internal)?;
            Ok(RefreshToken::parse(text))
        }
        _ => Ok(None),
    }
}
