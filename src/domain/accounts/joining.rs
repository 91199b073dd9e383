//! Accepting invitations to an organization.

use serde_json::json;

use crate::{
    auth::TokenHash,
    domain::{
        accounts::sessions::{self, NewSession, OrgChoice, SignedIn},
        core::{Core, PublicTx, Reads, SessionTx, active_organization},
        organizations::{
            invitations::{self, Invitation},
            members,
        },
        users::{self, NewUser, NewUserRow},
    },
    error::{Error, Result},
};

/// Creates an account for a new user and begins a session in the organization.
pub fn join(tx: &mut PublicTx<'_>, token: &TokenHash, new: &NewUser, user_agent: Option<&str>) -> Result<NewSession> {
    let core = tx.core();
    let invitation = invitations::expected(core, token)?;
    let is_believed = is_by_administrator(core, &invitation)?;
    let row = NewUserRow {
        login: new.login.as_str(),
        display_name: new.display_name.as_str(),
        email: invitation.email.as_deref().filter(|_| is_believed),
        password_hash: Some(&new.password_hash),
        is_admin: false,
    };
    let user_id = users::insert(core, &row)?;
    let details = json!({ "userId": user_id, "login": row.login, "by": "invitation" });
    core.audit("user.create", Some(user_id), &details)?;
    accept_as(core, &invitation, user_id)?;
    sessions::start(tx, user_id, &OrgChoice::One(invitation.org_id), user_agent)
}

/// Whether an instance administrator created the invitation.
///
/// Only then does the invitation's email address become the email address of the new account. From an organization
/// admin, the address is informational: the admin can open the link too, and would otherwise own an account that is
/// later linked to the address's real owner by the identity provider.
fn is_by_administrator(core: &Core<'_>, invitation: &Invitation) -> Result<bool> {
    let by = invitation.created_by.map(|by| users::by_id(core.conn, by)).transpose()?.flatten();
    Ok(by.is_some_and(|user| user.is_admin && !user.is_suspended))
}

/// Adds the caller to the organization and makes it the active organization of the session.
pub fn accept(tx: &mut SessionTx<'_>, token: &TokenHash) -> Result<SignedIn> {
    let invitation = invitations::expected(tx.core(), token)?;
    accept_as(tx.core(), &invitation, tx.caller().user_id)?;
    sessions::activate(tx, &OrgChoice::One(invitation.org_id))
}

fn accept_as(core: &Core<'_>, invitation: &Invitation, user_id: i64) -> Result<()> {
    if active_organization(core.conn, &invitation.org_id, user_id)?.is_some() {
        let text = "you are already a member of this organization; the invitation remains valid for another user";
        return Err(Error::Conflict(text.into()));
    }
    let newest_void = members::last_void_invitation(core.conn, &invitation.org_id, user_id)?;
    if newest_void.is_some_and(|newest| invitation.id <= newest) {
        return Err(Error::Forbidden(
            "your membership in this organization was ended after this invitation was created; ask an admin for a new \
             invitation",
        ));
    }
    members::join(core, &invitation.org_id, user_id, invitation.role)?;
    invitations::mark_accepted(core.conn, invitation.id, user_id, core.now)?;
    core.audit("invitation.accept", Some(user_id), &json!({ "invitationId": invitation.id }))
}
