//! Members of a workspace: users of its organization who were given an access level in it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{OwnTx, Reads, ViewTx, Written, active_organization, workspace_level},
    input::{Input, objects},
    paging::{Page, Paging, Window},
    store,
    users::Profile,
    values::AccessLevel,
    workspaces::Workspace,
};
use crate::error::{Error, Result};

/// A user's membership in a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// The user.
    pub user_id: i64,
    /// What they may do.
    pub role: AccessLevel,
    /// Since when, and by whom.
    #[serde(flatten)]
    pub written: Written,
}

impl Member {
    /// A membership to be written.
    pub(in crate::domain) fn new(user_id: i64, role: AccessLevel) -> Self {
        Self { user_id, role, written: Written::default() }
    }
}

/// A member of a workspace, with who they are.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedMember {
    /// The user.
    pub user_id: i64,
    /// The workspace's id.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// What they may do.
    pub role: AccessLevel,
    /// The workspace's revision when this was last written; goes into `If-Match`.
    pub revision: i64,
    /// Unix milliseconds.
    pub added_at: i64,
    /// User id; null when the system did it.
    #[schema(required)]
    pub added_by: Option<i64>,
    /// Who they are.
    pub user: Profile,
}

/// A membership to be given, or changed.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewMember {
    /// A member of the organization.
    pub user_id: i64,
    /// `viewer` when absent.
    #[schema(nullable = false)]
    pub role: Option<AccessLevel>,
}

/// Another access level for a member.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct MemberPatch {
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub user_id: Option<i64>,
    /// What they may do from now on.
    pub role: AccessLevel,
}

objects!(NewMember, MemberPatch);
impl Input for NewMember {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for MemberPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}

/// What a membership has beside its own fields.
const ROW: &[&str] = &["workspaceId", "revision", "addedAt", "addedBy", "user"];

/// The members of a workspace, in the order in which they were added.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<ListedMember>> {
    store::members::list(tx.core().conn, &tx.key(), &paging.window("members")?)
}

/// Members of the organization who are not members of the workspace, by name.
pub fn candidates(tx: &OwnTx<'_>, paging: &Paging) -> Result<Page<Profile>> {
    let organization_id = tx.workspace().org_id.as_deref().unwrap_or_default();
    store::members::candidates(tx.core().conn, tx.pk(), organization_id, &paging.window("member-candidates")?)
}

/// Gives a user of the organization an access level, or another one.
pub fn put(tx: &mut OwnTx<'_>, new: NewMember) -> Result<()> {
    let organization_id = tx.workspace().org_id.as_deref().unwrap_or_default();
    if active_organization(tx.core().conn, organization_id, new.user_id)?.is_none() {
        return Err(Error::invalid("userId", "is not a member of this organization; invite them into it first"));
    }
    let role = new.role.unwrap_or(AccessLevel::Viewer);
    match store::members::by_user(tx.core().conn, tx.pk(), new.user_id)? {
        Some(before) => set_role(tx, &before, role),
        None => tx.create(Member::new(new.user_id, role)).map(drop),
    }
}

/// Changes a member's access level.
pub fn change(tx: &mut OwnTx<'_>, user_id: i64, patch: &MemberPatch) -> Result<ListedMember> {
    same_user(patch.user_id, user_id)?;
    let before = expected(tx, user_id)?;
    set_role(tx, &before, patch.role)?;
    let members = store::members::list(tx.core().conn, &tx.key(), &Window::whole())?.items;
    members.into_iter().find(|member| member.user_id == user_id).ok_or(GONE)
}

/// Takes a member's access level away.
pub fn remove(tx: &mut OwnTx<'_>, user_id: i64) -> Result<()> {
    let member = expected(tx, user_id)?;
    keep_an_owner(tx, &member)?;
    tx.delete(&member)?;
    hand_over(tx, user_id)
}

/// Makes a user of the organization the one who counts as the workspace's owner. Who was it before stays an owner.
pub fn set_owner(tx: &mut OwnTx<'_>, user_id: i64) -> Result<()> {
    put(tx, NewMember { user_id, role: Some(AccessLevel::Owner) })?;
    let workspace = Workspace { owner_user_id: user_id, ..tx.workspace().clone() };
    tx.update_workspace(workspace).map(drop)
}

/// Accepts the user's id only when it says who it is.
pub(super) fn same_user(given: Option<i64>, actual: i64) -> Result<()> {
    match given {
        Some(given) if given != actual => Err(Error::invalid("userId", format!("cannot change; it is {actual}"))),
        _ => Ok(()),
    }
}

const GONE: Error = Error::NotFound("member");

fn expected(tx: &OwnTx<'_>, user_id: i64) -> Result<Member> {
    let member = store::members::by_user(tx.core().conn, tx.pk(), user_id)?.ok_or(GONE)?;
    let shown = store::members::list(tx.core().conn, &tx.key(), &Window::whole())?.items;
    tx.expect_as(&member, &shown.iter().find(|shown| shown.user_id == user_id))?;
    Ok(member)
}

fn set_role(tx: &mut OwnTx<'_>, before: &Member, role: AccessLevel) -> Result<()> {
    if role != AccessLevel::Owner {
        keep_an_owner(tx, before)?;
    }
    tx.update(before, Member { role, ..before.clone() })?;
    hand_over(tx, before.user_id)
}

/// Refuses to take the level from the last owner.
fn keep_an_owner(tx: &OwnTx<'_>, member: &Member) -> Result<()> {
    let is_owner = member.role == AccessLevel::Owner;
    if is_owner && store::members::oldest_owner_but(tx.core().conn, tx.pk(), member.user_id)?.is_none() {
        let text = "the last owner of a workspace can be neither removed nor demoted; make another member owner first";
        return Err(Error::Conflict(text.into()));
    }
    Ok(())
}

/// When the user who counts as the workspace's owner is none any more, the oldest one who is takes their place.
fn hand_over(tx: &mut OwnTx<'_>, user_id: i64) -> Result<()> {
    let (conn, workspace) = (tx.core().conn, tx.workspace().clone());
    if workspace.owner_user_id != user_id || workspace_level(conn, tx.pk(), user_id)? == Some(AccessLevel::Owner) {
        return Ok(());
    }
    match store::members::oldest_owner_but(conn, tx.pk(), user_id)? {
        Some(owner_user_id) => tx.update_workspace(Workspace { owner_user_id, ..workspace }).map(drop),
        None => Ok(()),
    }
}

/// Ends a user's membership because they leave the organization. A workspace that would lose its last owner goes to
/// `heir`, when there is one.
pub(super) fn end(tx: &mut OwnTx<'_>, user_id: i64, heir: Option<i64>) -> Result<()> {
    let conn = tx.core().conn;
    let Some(member) = store::members::by_user(conn, tx.pk(), user_id)? else { return Ok(()) };
    let last = store::members::oldest_owner_but(conn, tx.pk(), user_id)?.is_none();
    if let Some(heir) = heir.filter(|_| last && member.role == AccessLevel::Owner) {
        put(tx, NewMember { user_id: heir, role: Some(AccessLevel::Owner) })?;
    }
    tx.delete(&member)?;
    hand_over(tx, user_id)
}

/// Makes the caller an owner when no owner is left in the organization: the last one may have been removed while the
/// workspace was deleted. Returns the new owner.
pub(super) fn adopt(tx: &mut OwnTx<'_>) -> Result<Option<i64>> {
    let (conn, user_id) = (tx.core().conn, tx.core().caller()?.user_id);
    let organization_id = tx.workspace().org_id.clone().unwrap_or_default();
    if store::members::has_owner_within(conn, tx.pk(), &organization_id)? {
        return Ok(None);
    }
    put(tx, NewMember { user_id, role: Some(AccessLevel::Owner) })?;
    Ok(Some(user_id))
}
