//! Checks whether the author of an invitation may still create it.
//!
//! An invitation depends on the permission of its author. The permission is checked whenever the invitation is used,
//! and whenever its author loses a permission. Invitations that fail the check are deleted.

use serde_json::json;

pub use super::model::invitations::Authority;
use super::store::{self, invitations::Authorship};
use crate::{
    domain::{
        core::{Core, active_organization, token_is_active},
        users,
        values::OrgRole,
    },
    error::Result,
};

/// Whether the author could create the invitation now.
pub(super) fn is_authorized(core: &Core<'_>, invitation: &Authorship) -> Result<bool> {
    // Invitations without an author were created by the operator.
    let Some(author) = invitation.created_by else { return Ok(true) };
    let Some(user) = users::by_id(core.conn, author)?.filter(|user| !user.is_suspended) else {
        return Ok(false);
    };
    let Some(membership) = active_organization(core.conn, &invitation.organization_id, author)? else {
        return Ok(false);
    };
    let by_organization = membership.role == OrgRole::Admin;
    let by_waitlist = user.is_admin && (by_organization || invitation.role == OrgRole::Member);
    let may_invite = match invitation.authority {
        Some(Authority::Organization) => by_organization,
        Some(Authority::Waitlist) => by_waitlist,
        None => by_organization || by_waitlist,
    };
    Ok(may_invite && credential_is_active(core, invitation.credential.as_deref())?)
}

/// Whether the credential that created an invitation is not revoked. A session that ended is not revoked: invitations
/// outlive a sign-out. Invitations of sessions that were ended for security reasons are deleted by [`end_of_sessions`].
fn credential_is_active(core: &Core<'_>, credential: Option<&str>) -> Result<bool> {
    match credential.and_then(|credential| credential.strip_prefix("token:")).map(str::parse::<i64>) {
        Some(Ok(token_id)) => token_is_active(core.conn, token_id),
        Some(Err(_)) => Ok(false),
        None => Ok(true),
    }
}

/// Deletes the user's open invitations that they may no longer create. Call this after every loss of a permission:
/// membership, role, account, token. Returns how many were deleted.
pub(in crate::domain) fn end_unauthorized(core: &Core<'_>, user_id: i64) -> Result<usize> {
    let mut ended = Vec::new();
    for (id, invitation) in store::invitations::open_of(core.conn, user_id, core.now)? {
        if !is_authorized(core, &invitation)? {
            ended.push(id);
        }
    }
    end(core, user_id, &ended)
}

/// Deletes the user's open invitations that were created in a session, except in the session `except`. Call this when
/// sessions end because another person may have used them. Returns how many were deleted.
pub(in crate::domain) fn end_of_sessions(core: &Core<'_>, user_id: i64, except: Option<i64>) -> Result<usize> {
    let except = except.map(|id| format!("session:{id}"));
    let by_token = |credential: &str| credential.starts_with("token:");
    let open = store::invitations::open_of(core.conn, user_id, core.now)?;
    let in_session = open.into_iter().filter(|(_, invitation)| match invitation.credential.as_deref() {
        Some(credential) => !by_token(credential) && except.as_deref() != Some(credential),
        None => true,
    });
    let ended: Vec<i64> = in_session.map(|(id, _)| id).collect();
    end(core, user_id, &ended)
}

/// Deletes the user's open invitations that were created in this one session. Returns how many were deleted.
pub(in crate::domain) fn end_of_session(core: &Core<'_>, user_id: i64, session_id: i64) -> Result<usize> {
    let credential = format!("session:{session_id}");
    let open = store::invitations::open_of(core.conn, user_id, core.now)?;
    let in_session = open.into_iter().filter(|(_, invitation)| invitation.credential.as_ref() == Some(&credential));
    let ended: Vec<i64> = in_session.map(|(id, _)| id).collect();
    end(core, user_id, &ended)
}

fn end(core: &Core<'_>, user_id: i64, ids: &[i64]) -> Result<usize> {
    for id in ids {
        store::invitations::delete_by_id(core.conn, *id)?;
    }
    if !ids.is_empty() {
        core.audit("invitation.end", core.actor(), &json!({ "userId": user_id, "invitationIds": ids }))?;
    }
    Ok(ids.len())
}
