//! Renewing a session: a refresh token is good once.
//!
//! Two tabs of a browser may renew at the same moment with the same token; for 30 s the second gets what the first got.
//! Any other token that was used before has been stolen, or its successor has: the session ends.

use serde_json::json;

use super::{IDLE, LIFETIME, OrgChoice, SignedIn, active_user, chosen, issue, passwords_refused};
use crate::{
    auth::{TokenHash, refresh::RefreshToken},
    clock::SECOND,
    domain::{
        access::{Core, PublicTx, Reads},
        invitations, store,
    },
    error::{Error, Result},
};

/// How long the token before stays good, in milliseconds.
const GRACE: i64 = 30 * SECOND;

const PURPOSE: &str = "refresh";

/// A living session, as found by one of its refresh tokens.
#[derive(Debug)]
pub(in crate::domain) struct Renewable {
    pub id: i64,
    pub user_id: i64,
    pub refresh_hash: TokenHash,
    pub previous_hash: Option<TokenHash>,
    pub successor: Option<Vec<u8>>,
    pub rotated_at: Option<i64>,
    /// When it ends however often it is renewed; none for one that did not begin at the identity provider.
    pub ends_at: Option<i64>,
    pub created_at: i64,
}

/// What came of renewing.
#[derive(Debug)]
pub enum Renewal {
    /// A new JWT, and the refresh token to go on with.
    Renewed(Box<SignedIn>, RefreshToken),
    /// The session is over, or there never was one.
    Over,
}

/// Renews the session of `token`. When the token was used before, the session ends: that is an outcome and no error,
/// for it is to be committed.
pub fn renew(tx: &mut PublicTx<'_>, token: &RefreshToken, choice: &OrgChoice) -> Result<Renewal> {
    let core = tx.core();
    let Some(session) = store::sessions::by_family(core.conn, &token.family_hash(), core.now)? else {
        return Ok(Renewal::Over);
    };
    let lifetime = core.now + IDLE;
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
        // Somebody else has the session: what was done in it may be theirs.
        invitations::end_of_session(core, session.user_id, session.id)?;
        return over(core, &session, "session.reuse");
    };
    let user = active_user(core, session.user_id)?;
    let organization = chosen(core, session.user_id, choice)?;
    Ok(Renewal::Renewed(Box::new(issue(core, session.id, user, organization)?), next))
}

/// Ends the session, for a reason that the audit names.
fn over(core: &Core<'_>, session: &Renewable, why: &str) -> Result<Renewal> {
    store::sessions::end(core.conn, session.user_id, session.id, core.now)?;
    core.audit(why, None, &json!({ "sessionId": session.id, "userId": session.user_id }))?;
    Ok(Renewal::Over)
}

/// Ends the session that `token` belongs to, if it lives. Answers whether it did, and began at the identity provider.
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

/// What the token before was replaced by, as long as two tabs may have used it at once.
fn successor(core: &Core<'_>, session: &Renewable, token: &RefreshToken) -> Result<Option<RefreshToken>> {
    let fresh = session.rotated_at.is_some_and(|rotated| core.now - rotated <= GRACE);
    match &session.successor {
        Some(sealed) if fresh && session.previous_hash == Some(token.hash()) => {
            let opened = core.shared.keys.open(PURPOSE, sealed)?;
            let text = std::str::from_utf8(&opened).map_err(Error::internal)?;
            Ok(RefreshToken::parse(text))
        }
        _ => Ok(None),
    }
}
