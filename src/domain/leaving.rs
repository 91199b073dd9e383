//! Leaving an organization, by oneself or at an admin's hand: what a user had there ends with it.

use serde_json::json;

use super::{
    access::{Core, OrgTx, Reads, SystemTx},
    invitations, members, org_members,
    store::{self, leaving::Bound},
    workspaces::RESTORABLE_FOR,
};
use crate::error::{Error, OwnedWorkspace, Result};

/// Ends a user's membership in the organization, and with it their tokens, grants and workspace memberships there.
///
/// Members may leave; only admins may remove others. Workspaces that the user alone owns need an heir, `transfer_to`:
/// without one, [`Error::SoleOwner`] lists them. The last admin stays.
pub fn leave(mut tx: OrgTx<'_>, user_id: i64, transfer_to: Option<i64>) -> Result<()> {
    let actor = tx.caller()?.user_id;
    if user_id != actor {
        // To one who is no admin, members and strangers look alike.
        tx = tx.admin()?.into_org();
    }
    let organization_id = tx.organization_id()?.to_owned();
    let member = org_members::expected(tx.core(), &organization_id, user_id)?;
    org_members::keep_an_admin(tx.core(), &member)?;
    match transfer_to {
        Some(heir) => able_to_inherit(&tx, &organization_id, user_id, heir)?,
        None => match owned_alone(&tx, &organization_id, user_id)? {
            alone if alone.is_empty() => {}
            alone => return Err(Error::SoleOwner(alone)),
        },
    }
    for pk in store::members::workspaces_of(tx.core().conn, &organization_id, user_id)? {
        members::end(&mut tx.follow_into(pk)?, user_id, transfer_to)?;
    }
    let by_another = user_id != actor;
    let Ended { tokens, grants, invitations } = end(tx.core(), &organization_id, user_id, by_another)?;
    let details = json!({ "userId": user_id, "transferTo": transfer_to, "tokens": tokens, "grants": grants,
                          "invitations": invitations });
    tx.core().audit("organization.leave", Some(actor), &details)
}

/// Ends the membership of a user whom the identity provider no longer has in the organization. Nobody can refuse that:
/// what they alone owned, deleted workspaces that can be restored included, goes to the admin who joined first; where there
/// is none it stays as it is, out of their reach.
pub(super) fn lapse(tx: &mut SystemTx<'_>, organization_id: &str, user_id: i64) -> Result<()> {
    let heir = store::organizations::first_admin_but(tx.core().conn, organization_id, Some(user_id))?;
    for pk in store::members::workspaces_of(tx.core().conn, organization_id, user_id)? {
        let Some(mut workspace) = tx.any_workspace(pk)? else { continue };
        let another = store::members::oldest_owner_but(workspace.core().conn, pk, user_id)?;
        if heir.or(another).is_some() {
            members::end(&mut workspace, user_id, heir)?;
        }
    }
    let Ended { tokens, grants, invitations } = end(tx.core(), organization_id, user_id, true)?;
    let details = json!({ "userId": user_id, "organizationId": organization_id, "transferTo": heir, "tokens": tokens,
                          "grants": grants, "invitations": invitations, "by": "identity provider" });
    tx.core().audit("organization.leave", Some(user_id), &details)
}

/// How many things ended with a membership.
struct Ended {
    tokens: usize,
    grants: usize,
    invitations: usize,
}

/// Ends the membership itself, with the tokens and grants that are bound to it and the open invitations that rest on it.
/// When it was ended `by_another`, older invitations do not bring the user back.
fn end(core: &Core<'_>, organization_id: &str, user_id: i64, by_another: bool) -> Result<Ended> {
    let revoke = |what| store::leaving::revoke(core.conn, what, organization_id, user_id, core.now);
    let (tokens, grants) = (revoke(Bound::Tokens)?, revoke(Bound::Grants)?);
    store::org_members::delete(core.conn, organization_id, user_id)?;
    if by_another {
        store::org_members::void_invitations(core.conn, organization_id, user_id, core.now)?;
    }
    let invitations = invitations::end_unauthorized(core, user_id)?;
    Ok(Ended { tokens, grants, invitations })
}

/// What would be left without anybody who could decide about it.
fn owned_alone(tx: &OrgTx<'_>, organization_id: &str, user_id: i64) -> Result<Vec<OwnedWorkspace>> {
    store::leaving::owned_alone(tx.core().conn, organization_id, user_id, tx.core().now - RESTORABLE_FOR)
}

/// An heir is another member, and can act.
fn able_to_inherit(tx: &OrgTx<'_>, organization_id: &str, user_id: i64, heir: i64) -> Result<()> {
    let wrong = |text: &str| Err(Error::invalid("transferTo", text));
    if heir == user_id {
        return wrong("must name another member than the one who leaves");
    }
    match store::org_members::by_user(tx.core().conn, organization_id, heir)? {
        None => wrong("is not a member of this organization"),
        Some(member) if member.is_suspended => wrong("is suspended; name another member"),
        Some(_) => Ok(()),
    }
}
