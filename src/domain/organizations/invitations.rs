//! Invitations to an organization, by link.
//!
//! A link can be used once, within seven days, and only while its author may still invite.

use serde_json::json;

pub(in crate::domain) use super::authority::{Authority, end_of_session, end_of_sessions, end_unauthorized};
pub use super::model::invitations::{CreatedInvitation, Invitation, NewInvitation, OpenInvitation};
pub(in crate::domain) use super::store::invitations::accept as mark_accepted;
use super::{authority, store};
use crate::{
    auth::{TokenHash, tokens},
    clock::DAY,
    domain::{
        core::{Core, OrgAdminTx, OrgViewTx, PublicTx, Reach, Reads, one_more, organization_name},
        mail::{self, MailKind, NewMail, Queued, Text},
        paging::{Page, Paging},
        settings, users,
        values::OrgRole,
    },
    error::{Error, Result},
};

/// Lifetime of an invitation, in milliseconds.
const INVITATION_LIFETIME: i64 = 7 * DAY;

/// Lists invitations that are open or were accepted, in creation order.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<Invitation>> {
    match tx.reach() {
        Reach::Organization(id) => {
            store::invitations::list(tx.core().conn, id, tx.core().now, &paging.window("invitations")?)
        }
        Reach::Everything => Err(Error::NoActiveOrganization),
    }
}

/// Creates an invitation.
pub fn create(tx: &mut OrgAdminTx<'_>, new: NewInvitation) -> Result<CreatedInvitation> {
    create_by(tx.core(), tx.organization_id()?, new, Authority::Organization)
}

/// Creates an invitation to an organization that the caller may invite to; `authority` is the basis of that permission.
pub(in crate::domain) fn create_by(
    core: &Core<'_>,
    organization_id: &str,
    new: NewInvitation,
    authority: Authority,
) -> Result<CreatedInvitation> {
    let open = store::invitations::open(core.conn, organization_id, core.now)?;
    one_more("invitations", "open invitations", core.shared.quotas.invitations, open)?;
    let token = tokens::generate("");
    let row = store::invitations::NewInvitationRow {
        organization_id,
        token_hash: tokens::hash(&token),
        email: new.email.map(String::from),
        role: new.role.unwrap_or(OrgRole::Member),
        created_by: core.actor(),
        credential: core.caller().ok().map(|caller| caller.credential.clone()),
        authority,
        expires_at: core.now + INVITATION_LIFETIME,
    };
    let id = store::invitations::insert(core.conn, &row, core.now)?;
    // The secret is in the fragment, which browsers never send to a server, so it does not appear in access logs.
    let url = format!("{}/join#{token}", core.shared.sessions.issuer);
    let mailed = match &row.email {
        Some(email) => send(core, organization_id, email, &url)?,
        None => false,
    };
    let details = json!({ "invitationId": id, "role": row.role.as_str(), "email": row.email, "mailed": mailed });
    core.audit("invitation.create", core.actor(), &details)?;
    let invitation = store::invitations::by_id(core.conn, organization_id, id)?.ok_or(NOT_FOUND)?;
    Ok(CreatedInvitation { invitation, token, url, mailed })
}

/// Sends the link to the invitee. Returns whether it is sent.
fn send(core: &Core<'_>, organization_id: &str, email: &str, url: &str) -> Result<bool> {
    let (instance, name) = (settings::instance_name(core)?, organization_name(core.conn, organization_id)?);
    let name = name.unwrap_or_default();
    let author = core.actor().map(|id| users::by_id(core.conn, id)).transpose()?.flatten();
    let before = match author {
        Some(author) => format!("{} invites you to the organization {name} on {instance}.", author.display_name),
        None => format!("You are invited to the organization {name} on {instance}."),
    };
    let text = Text {
        subject: format!("Invitation to {name} on {instance}"),
        instance,
        before: vec![before],
        link: ("Accept the invitation", url.to_owned()),
        after: vec![
            "The link is valid for seven days and works once.".into(),
            "If you do not expect this invitation, ignore this email.".into(),
        ],
    };
    let new = NewMail {
        kind: MailKind::Invitation,
        to: email,
        user_id: core.actor(),
        organization_id: Some(organization_id),
        expires_at: core.now + INVITATION_LIFETIME,
        text: &text,
    };
    Ok(mail::enqueue(core, &new)? == Queued::Yes)
}

/// Revokes an open invitation, or deletes an accepted one.
pub fn revoke(tx: &mut OrgAdminTx<'_>, id: i64) -> Result<()> {
    let core = tx.core();
    if !store::invitations::delete(core.conn, tx.organization_id()?, id)? {
        return Err(NOT_FOUND);
    }
    core.audit("invitation.withdraw", core.actor(), &json!({ "invitationId": id }))
}

/// Returns the public details of the invitation with this secret.
pub fn details(tx: &PublicTx<'_>, token: &TokenHash) -> Result<OpenInvitation> {
    let core = tx.core();
    let invitation = expected(core, token)?;
    let organization = organization_name(core.conn, &invitation.org_id)?.ok_or(NOT_FOUND)?;
    let Invitation { email, role, expires_at, .. } = invitation;
    Ok(OpenInvitation { organization, email, role, expires_at })
}

const NOT_FOUND: Error = Error::NotFound("invitation");

/// The invitation with this secret, if it can still be accepted and its author may still invite.
pub(in crate::domain) fn expected(core: &Core<'_>, token: &TokenHash) -> Result<Invitation> {
    let found = store::invitations::by_token(core.conn, token)?;
    let open = found.filter(|invitation| invitation.accepted_at.is_none() && invitation.expires_at > core.now);
    let invitation = open.ok_or(NOT_FOUND)?;
    let authorship = store::invitations::authorship(core.conn, invitation.id)?.ok_or(NOT_FOUND)?;
    if authority::is_authorized(core, &authorship)? { Ok(invitation) } else { Err(NOT_FOUND) }
}
