//! Managing the caller's own sessions.

use serde_json::json;

use super::{OrgChoice, SignedIn, active_user, chosen, end_for_safety, issue};
pub use crate::domain::accounts::model::sessions::Session;
use crate::{
    domain::{
        accounts::store,
        core::{Reads, SessionTx},
        organizations::invitations,
        paging::{Page, Paging},
    },
    error::{Error, Result},
};

/// Error for sessions of an external identity provider, which cannot be changed here.
const SESSION_REQUIRED: Error =
    Error::Forbidden("this session is your identity provider's: end it, or choose another organization, there");

/// Lists the caller's active sessions, most recently used first.
pub fn list(tx: &SessionTx<'_>, paging: &Paging) -> Result<Page<Session>> {
    let (core, current) = (tx.core(), tx.session_id().unwrap_or_default());
    store::sessions::of_user(core.conn, tx.caller().user_id, current, core.now, &paging.window("sessions")?)
}

/// Ends a session of the caller, possibly the current one.
pub fn end(tx: &mut SessionTx<'_>, id: i64) -> Result<()> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    if !store::sessions::end(core.conn, user_id, id, core.now)? {
        return Err(Error::NotFound("session"));
    }
    // Signing out does not make the session suspicious. Ending another session may, so its invitations are deleted.
    if tx.session_id() != Some(id) {
        invitations::end_of_session(core, user_id, id)?;
    }
    core.audit("session.end", Some(user_id), &json!({ "sessionId": id }))
}

/// Ends the current session.
pub fn end_current(tx: &mut SessionTx<'_>) -> Result<()> {
    let id = tx.session_id().ok_or(SESSION_REQUIRED)?;
    end(tx, id)
}

/// Ends all sessions of the caller except the current one.
pub fn end_others(tx: &mut SessionTx<'_>) -> Result<()> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let ended = end_for_safety(core, user_id, tx.session_id())?;
    core.audit("session.end-others", Some(user_id), &json!({ "sessions": ended }))
}

/// Changes the active organization of the current session, possibly to none.
pub fn activate(tx: &mut SessionTx<'_>, choice: &OrgChoice) -> Result<SignedIn> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let session_id = tx.session_id().ok_or(SESSION_REQUIRED)?;
    let organization = chosen(core, user_id, choice)?;
    let details = json!({ "sessionId": session_id, "to": organization.as_ref().map(|o| &o.id) });
    core.audit("session.organization", Some(user_id), &details)?;
    issue(core, session_id, active_user(core, user_id)?, organization)
}
