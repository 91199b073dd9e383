//! Members of an organization and their roles.

use serde_json::json;

pub use super::model::members::{OrgMember, OrgMemberPatch};
pub(in crate::domain) use super::store::members::{by_user, last_void_invitation, set_role};
use super::{invitations, store};
use crate::{
    domain::{
        core::{Core, OrgAdminTx, OrgViewTx, Reach, Reads, SystemTx, WebhookEvent, WebhookNotice, active_organization},
        directory::people,
        map::members::same_user,
        paging::{Page, Paging},
        users,
        values::OrgRole,
    },
    error::{Error, Result},
};

/// Lists the members in the order in which they joined.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<OrgMember>> {
    match tx.reach() {
        Reach::Organization(id) => store::members::list(tx.core().conn, id, &paging.window("organization-members")?),
        Reach::Everything => Err(Error::NoActiveOrganization),
    }
}

/// Updates a member's role. Fails with a conflict if no active admin would remain.
pub fn change(tx: &mut OrgAdminTx<'_>, user_id: i64, patch: &OrgMemberPatch) -> Result<OrgMember> {
    same_user(patch.user_id, user_id)?;
    let (core, organization_id) = (tx.core(), tx.organization_id()?);
    let before = expected(core, organization_id, user_id)?;
    if patch.role != before.role {
        if patch.role != OrgRole::Admin {
            keep_an_admin(core, &before)?;
        }
        store::members::set_role(core.conn, organization_id, user_id, patch.role)?;
        let details = json!({ "userId": user_id, "from": before.role.as_str(), "to": patch.role.as_str() });
        core.audit("organization.role", Some(core.caller()?.user_id), &details)?;
        invitations::end_unauthorized(core, user_id)?;
        core.settle_access_of(user_id)?;
        queue_webhooks(core, WebhookEvent::MemberUpdated, organization_id, user_id)?;
    }
    Ok(OrgMember { role: patch.role, ..before })
}

/// Adds a user to an organization, identified by login and slug as in commands.
pub fn add(tx: &mut SystemTx<'_>, slug: &str, login: &str, role: OrgRole) -> Result<()> {
    let user_id = users::id_of(&tx.admin(), login)?;
    let organization_id = store::organizations::id_by_slug(tx.core().conn, slug)?.ok_or_else(|| {
        Error::invalid("org", format!("there is no organization `{slug}`; `planroom org list` lists all"))
    })?;
    join(tx.core(), &organization_id, user_id, role)
}

/// Adds a user as a member of the organization and as a person in its directory. Fails with a conflict if the user is
/// already a member.
pub(in crate::domain) fn join(core: &Core<'_>, organization_id: &str, user_id: i64, role: OrgRole) -> Result<()> {
    if active_organization(core.conn, organization_id, user_id)?.is_some() {
        return Err(Error::Conflict("they are a member of this organization already".into()));
    }
    store::members::insert(core.conn, organization_id, user_id, role, core.now)?;
    let details = json!({ "userId": user_id, "organizationId": organization_id, "role": role.as_str() });
    core.audit("organization.join", core.actor().or(Some(user_id)), &details)?;
    queue_webhooks(core, WebhookEvent::MemberJoined, organization_id, user_id)?;
    people::join(core, organization_id, user_id)
}

/// Queues an event about a member for the webhooks of the organization.
pub(in crate::domain) fn queue_webhooks(
    core: &Core<'_>,
    event: WebhookEvent,
    organization_id: &str,
    user_id: i64,
) -> Result<()> {
    core.queue_webhooks(&WebhookNotice {
        event,
        organization_id,
        workspace_pk: None,
        subject: user_id.to_string(),
        part: None,
    })
}

/// Returns the member, or an error if the user is not a member.
pub(in crate::domain) fn expected(core: &Core<'_>, organization_id: &str, user_id: i64) -> Result<OrgMember> {
    let member = store::members::by_user(core.conn, organization_id, user_id)?;
    member.ok_or(Error::NotFound("member"))
}

/// Rejects the removal or demotion of the last active admin.
pub(in crate::domain) fn keep_an_admin(core: &Core<'_>, member: &OrgMember) -> Result<()> {
    let is_admin = member.role == OrgRole::Admin;
    if is_admin && !store::members::has_admin_but(core.conn, &member.org_id, member.user_id)? {
        let text =
            "the last admin of an organization can neither leave nor be demoted; make another member admin first";
        return Err(Error::Conflict(text.into()));
    }
    Ok(())
}
