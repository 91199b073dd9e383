//! Members of a workspace: users of its organization with an access level in the workspace.

pub use super::model::members::{ListedMember, Member, MemberPatch, NewMember};
pub(in crate::domain) use super::store::members::{oldest_owner_but, owners, workspaces_of};
use super::{store, workspaces::Workspace};
use crate::{
    domain::{
        core::{OwnTx, Reads, ViewTx, WorkspaceKey, active_organization, workspace_level},
        notifications::{self, Notice, NotificationKind, Subject},
        paging::{Page, Paging, Window},
        users::Profile,
        values::AccessLevel,
    },
    error::{Error, Result},
};

/// Lists the members of a workspace, in the order in which they were added.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<ListedMember>> {
    // A draft has the members of its base.
    let key = WorkspaceKey { pk: tx.access_pk(), id: &tx.workspace().id };
    store::members::list(tx.core().conn, &key, &paging.window("members")?)
}

/// Lists members of the organization who are not members of the workspace, by name.
pub fn candidates(tx: &OwnTx<'_>, paging: &Paging) -> Result<Page<Profile>> {
    let organization_id = tx.workspace().org_id.as_deref().unwrap_or_default();
    store::members::candidates(tx.core().conn, tx.pk(), organization_id, &paging.window("member-candidates")?)
}

/// Adds a user of the organization as a member, or updates the member's access level.
pub fn put(tx: &mut OwnTx<'_>, new: NewMember) -> Result<()> {
    let organization_id = tx.workspace().org_id.as_deref().unwrap_or_default();
    if active_organization(tx.core().conn, organization_id, new.user_id)?.is_none() {
        return Err(Error::invalid("userId", "is not a member of this organization; invite them into it first"));
    }
    let role = new.role.unwrap_or(AccessLevel::Viewer);
    match store::members::by_user(tx.core().conn, tx.pk(), new.user_id)? {
        Some(before) => set_role(tx, &before, role),
        None => {
            tx.create(Member::new(new.user_id, role))?;
            notify(tx, new.user_id)
        }
    }
}

/// Notifies a user of their access level, which is read when the notification is shown.
fn notify(tx: &OwnTx<'_>, user_id: i64) -> Result<()> {
    let (kind, subject) = (NotificationKind::Invitation, Subject::Workspace);
    let notice = Notice { kind, workspace_pk: tx.pk(), subject, actor: tx.core().actor() };
    notifications::notify(tx.core(), &notice, &[user_id])
}

/// Updates a member's access level.
pub fn change(tx: &mut OwnTx<'_>, user_id: i64, patch: &MemberPatch) -> Result<ListedMember> {
    same_user(patch.user_id, user_id)?;
    let before = expected(tx, user_id)?;
    set_role(tx, &before, patch.role)?;
    let members = store::members::list(tx.core().conn, &tx.key(), &Window::whole())?.items;
    members.into_iter().find(|member| member.user_id == user_id).ok_or(NOT_FOUND)
}

/// Removes a member.
pub fn remove(tx: &mut OwnTx<'_>, user_id: i64) -> Result<()> {
    let member = expected(tx, user_id)?;
    keep_an_owner(tx, &member)?;
    tx.delete(&member)?;
    hand_over(tx, user_id)
}

/// Sets the workspace's `owner_user_id` to a user of the organization. The previous owner keeps the access level owner.
pub fn set_owner(tx: &mut OwnTx<'_>, user_id: i64) -> Result<()> {
    put(tx, NewMember { user_id, role: Some(AccessLevel::Owner) })?;
    let workspace = Workspace { owner_user_id: user_id, ..tx.workspace().clone() };
    tx.update_workspace(workspace).map(drop)
}

/// Rejects a user id in the body that differs from the id in the path.
pub(in crate::domain) fn same_user(given: Option<i64>, actual: i64) -> Result<()> {
    match given {
        Some(given) if given != actual => Err(Error::invalid("userId", format!("cannot change; it is {actual}"))),
        _ => Ok(()),
    }
}

const NOT_FOUND: Error = Error::NotFound("member");

fn expected(tx: &OwnTx<'_>, user_id: i64) -> Result<Member> {
    let member = store::members::by_user(tx.core().conn, tx.pk(), user_id)?.ok_or(NOT_FOUND)?;
    let shown = store::members::list(tx.core().conn, &tx.key(), &Window::whole())?.items;
    tx.expect_as(&member, &shown.iter().find(|shown| shown.user_id == user_id))?;
    Ok(member)
}

fn set_role(tx: &mut OwnTx<'_>, before: &Member, role: AccessLevel) -> Result<()> {
    if role != AccessLevel::Owner {
        keep_an_owner(tx, before)?;
    }
    tx.update(before, Member { role, ..before.clone() })?;
    if role > before.role {
        notify(tx, before.user_id)?;
    }
    hand_over(tx, before.user_id)
}

/// Rejects the removal or demotion of the last owner.
fn keep_an_owner(tx: &OwnTx<'_>, member: &Member) -> Result<()> {
    let is_owner = member.role == AccessLevel::Owner;
    if is_owner && store::members::oldest_owner_but(tx.core().conn, tx.pk(), member.user_id)?.is_none() {
        let text = "the last owner of a workspace can be neither removed nor demoted; make another member owner first";
        return Err(Error::Conflict(text.into()));
    }
    Ok(())
}

/// Sets `owner_user_id` to the member who has been an owner the longest, if the current one is no longer an owner.
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

/// Removes a user who leaves the organization from a workspace. If the user is the last owner, `heir`, if given,
/// becomes an owner.
pub(in crate::domain) fn end(tx: &mut OwnTx<'_>, user_id: i64, heir: Option<i64>) -> Result<()> {
    let conn = tx.core().conn;
    let Some(member) = store::members::by_user(conn, tx.pk(), user_id)? else { return Ok(()) };
    let last = store::members::oldest_owner_but(conn, tx.pk(), user_id)?.is_none();
    if let Some(heir) = heir.filter(|_| last && member.role == AccessLevel::Owner) {
        put(tx, NewMember { user_id: heir, role: Some(AccessLevel::Owner) })?;
    }
    tx.delete(&member)?;
    hand_over(tx, user_id)
}

/// Makes the caller an owner if no owner remains in the organization, and returns the new owner.
///
/// This happens when the last owner was removed from the organization while the workspace was deleted.
pub(in crate::domain) fn adopt(tx: &mut OwnTx<'_>) -> Result<Option<i64>> {
    let (conn, user_id) = (tx.core().conn, tx.core().caller()?.user_id);
    let organization_id = tx.workspace().org_id.clone().unwrap_or_default();
    if store::members::has_owner_within(conn, tx.pk(), &organization_id)? {
        return Ok(None);
    }
    put(tx, NewMember { user_id, role: Some(AccessLevel::Owner) })?;
    Ok(Some(user_id))
}
