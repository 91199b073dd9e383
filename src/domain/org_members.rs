//! Members of an organization, and what they are in it.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    access::{Core, OrgAdminTx, OrgViewTx, Reach, Reads, SystemTx, active_organization},
    accounts,
    input::{Input, objects},
    invitations,
    members::same_user,
    paging::{Page, Paging},
    people, store,
    users::Profile,
    values::OrgRole,
};
use crate::error::{Error, Result};

/// A member of an organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrgMember {
    /// The user.
    pub user_id: i64,
    /// The organization.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// What they are in it.
    pub role: OrgRole,
    /// Unix milliseconds.
    pub joined_at: i64,
    /// Whether the account is suspended.
    pub is_suspended: bool,
    /// Who they are.
    pub user: Profile,
}

/// Another role for a member.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct OrgMemberPatch {
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub user_id: Option<i64>,
    /// What they are from now on.
    pub role: OrgRole,
}

objects!(OrgMemberPatch);
impl Input for OrgMemberPatch {
    const READ_ONLY: &'static [&'static str] = &["orgId", "joinedAt", "isSuspended", "user"];
}

/// The members, in the order in which they joined.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<OrgMember>> {
    match tx.reach() {
        Reach::Organization(id) => {
            store::org_members::list(tx.core().conn, id, &paging.window("organization-members")?)
        }
        Reach::Everything => Err(Error::NoActiveOrganization),
    }
}

/// Changes a member's role. The last admin stays one.
pub fn change(tx: &mut OrgAdminTx<'_>, user_id: i64, patch: &OrgMemberPatch) -> Result<OrgMember> {
    same_user(patch.user_id, user_id)?;
    let (core, organization_id) = (tx.core(), tx.organization_id()?);
    let before = expected(core, organization_id, user_id)?;
    if patch.role != before.role {
        if patch.role != OrgRole::Admin {
            keep_an_admin(core, &before)?;
        }
        store::org_members::set_role(core.conn, organization_id, user_id, patch.role)?;
        let details = json!({ "userId": user_id, "from": before.role.as_str(), "to": patch.role.as_str() });
        core.audit("organization.role", Some(core.caller()?.user_id), &details)?;
        invitations::end_unauthorized(core, user_id)?;
    }
    Ok(OrgMember { role: patch.role, ..before })
}

/// Makes a user a member, each named as in commands.
pub fn add(tx: &mut SystemTx<'_>, slug: &str, login: &str, role: OrgRole) -> Result<()> {
    let user_id = accounts::id_of(&tx.admin(), login)?;
    let organization_id = store::organizations::id_by_slug(tx.core().conn, slug)?
        .ok_or_else(|| Error::invalid("org", format!("there is no organization `{slug}`")))?;
    join(tx.core(), &organization_id, user_id, role)
}

/// Makes a user a member, and a person in the directory. Who is one already stays what they are.
pub(super) fn join(core: &Core<'_>, organization_id: &str, user_id: i64, role: OrgRole) -> Result<()> {
    if active_organization(core.conn, organization_id, user_id)?.is_some() {
        return Err(Error::Conflict("they are a member of this organization already".into()));
    }
    store::org_members::insert(core.conn, organization_id, user_id, role, core.now)?;
    let details = json!({ "userId": user_id, "organizationId": organization_id, "role": role.as_str() });
    core.audit("organization.join", core.actor().or(Some(user_id)), &details)?;
    people::join(core, organization_id, user_id)
}

/// The member, or that there is none.
pub(super) fn expected(core: &Core<'_>, organization_id: &str, user_id: i64) -> Result<OrgMember> {
    let member = store::org_members::by_user(core.conn, organization_id, user_id)?;
    member.ok_or(Error::NotFound("member"))
}

/// Refuses to lose the last admin who can act.
pub(super) fn keep_an_admin(core: &Core<'_>, member: &OrgMember) -> Result<()> {
    let is_admin = member.role == OrgRole::Admin;
    if is_admin && !store::org_members::has_admin_but(core.conn, &member.org_id, member.user_id)? {
        let text =
            "the last admin of an organization can neither leave nor be demoted; make another member admin first";
        return Err(Error::Conflict(text.into()));
    }
    Ok(())
}
