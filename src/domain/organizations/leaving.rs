//! Leaving an organization, voluntarily or by an admin's action. The user's access to the organization's data ends.

use serde_json::json;

use super::{
    invitations, members,
    store::{self, leaving::CredentialKind},
};
use crate::{
    domain::{
        core::{Core, MembershipTx, OrgTx, Reads, SystemTx, WebhookEvent},
        directory::people,
        map::workspaces::RESTORABLE_FOR,
    },
    error::{Error, OwnedWorkspace, Result},
};

/// Ends a user's membership in the organization, along with their tokens, grants and workspace memberships there.
///
/// Members may leave; only admins may remove others. Workspaces whose only owner is the user need an heir,
/// `transfer_to`: without it, [`Error::SoleOwner`] lists the workspaces. The last admin cannot leave.
pub fn leave(tx: &mut MembershipTx<'_>, transfer_to: Option<i64>) -> Result<()> {
    let (actor, user_id) = (tx.caller()?.user_id, tx.member_id());
    let organization_id = tx.organization_id()?.to_owned();
    let member = members::expected(tx.core(), &organization_id, user_id)?;
    members::keep_an_admin(tx.core(), &member)?;
    match transfer_to {
        Some(heir) => able_to_inherit(tx, &organization_id, user_id, heir)?,
        None => match owned_alone(tx, &organization_id, user_id)? {
            sole_owned if sole_owned.is_empty() => {}
            sole_owned => return Err(Error::SoleOwner(sole_owned)),
        },
    }
    for pk in crate::domain::map::members::workspaces_of(tx.core().conn, &organization_id, user_id)? {
        crate::domain::map::members::end(&mut tx.follow_into(pk)?, user_id, transfer_to)?;
    }
    let by_another = user_id != actor;
    let EndedCredentials { tokens, grants, invitations } = end(tx.core(), &organization_id, user_id, by_another)?;
    let details = json!({ "userId": user_id, "transferTo": transfer_to, "tokens": tokens, "grants": grants,
                          "invitations": invitations });
    tx.core().audit("organization.leave", Some(actor), &details)
}

/// Ends the membership of a user whom the identity provider no longer lists in the organization, or who is erased. `by`
/// is the reason in the audit log.
///
/// This cannot be rejected. Workspaces whose only owner was the user, including deleted workspaces that can be
/// restored, are transferred to the admin who joined first. If there is no admin, they are unchanged and inaccessible
/// to the user.
pub(in crate::domain) fn end_membership(
    tx: &mut SystemTx<'_>,
    organization_id: &str,
    user_id: i64,
    by: &str,
) -> Result<()> {
    let heir = store::organizations::first_admin_but(tx.core().conn, organization_id, Some(user_id))?;
    for pk in crate::domain::map::members::workspaces_of(tx.core().conn, organization_id, user_id)? {
        let Some(mut workspace) = tx.any_workspace(pk)? else { continue };
        let another = crate::domain::map::members::oldest_owner_but(workspace.core().conn, pk, user_id)?;
        if heir.or(another).is_some() {
            crate::domain::map::members::end(&mut workspace, user_id, heir)?;
        }
    }
    let EndedCredentials { tokens, grants, invitations } = end(tx.core(), organization_id, user_id, true)?;
    let details = json!({ "userId": user_id, "organizationId": organization_id, "transferTo": heir, "tokens": tokens,
                          "grants": grants, "invitations": invitations, "by": by });
    tx.core().audit("organization.leave", Some(user_id), &details)
}

/// Numbers of credentials and invitations that ended with a membership.
struct EndedCredentials {
    tokens: usize,
    grants: usize,
    invitations: usize,
}

/// Ends the membership itself, the tokens and grants bound to it, and the access requests and open invitations that
/// depend on it. The user's person remains, without a photo that the user has uploaded. If another user ended the
/// membership (`by_another`), older invitations can no longer be used by the user.
fn end(core: &Core<'_>, organization_id: &str, user_id: i64, by_another: bool) -> Result<EndedCredentials> {
    let revoke = |what| store::leaving::revoke(core.conn, what, organization_id, user_id, core.now);
    let (tokens, grants) = (revoke(CredentialKind::Tokens)?, revoke(CredentialKind::Grants)?);
    store::members::delete(core.conn, organization_id, user_id)?;
    people::leave(core, organization_id, user_id)?;
    members::queue_webhooks(core, WebhookEvent::MemberLeft, organization_id, user_id)?;
    core.settle_access_of(user_id)?;
    if by_another {
        store::members::void_invitations(core.conn, organization_id, user_id, core.now)?;
    }
    let invitations = invitations::end_unauthorized(core, user_id)?;
    Ok(EndedCredentials { tokens, grants, invitations })
}

/// The workspaces that would have no owner.
fn owned_alone(tx: &OrgTx<'_>, organization_id: &str, user_id: i64) -> Result<Vec<OwnedWorkspace>> {
    store::leaving::owned_alone(tx.core().conn, organization_id, user_id, tx.core().now - RESTORABLE_FOR)
}

/// Checks that the heir is another member and is not suspended.
fn able_to_inherit(tx: &OrgTx<'_>, organization_id: &str, user_id: i64, heir: i64) -> Result<()> {
    let wrong = |text: &str| Err(Error::invalid("transferTo", text));
    if heir == user_id {
        return wrong("must name another member than the one who leaves");
    }
    match store::members::by_user(tx.core().conn, organization_id, heir)? {
        None => wrong("is not a member of this organization"),
        Some(member) if member.is_suspended => wrong("is suspended; name another member"),
        Some(_) => Ok(()),
    }
}
