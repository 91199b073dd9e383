//! Creating, updating, deleting, and restoring workspaces.

pub use super::model::workspaces::{
    ListedWorkspace, NewDuplicate, NewWorkspace, Template, WorkspacePatch, WorkspaceRestoreRequest,
};
pub(in crate::domain) use super::store::workspaces::{by_pk, id_taken, living};
use super::{members, store};
pub use crate::domain::core::Workspace;
use crate::{
    clock::DAY,
    domain::{
        core::{EditTx, OrgTx, OrgViewTx, OwnTx, Reach, Reads, RowMetadata, SystemTx, level_in},
        input::same,
        paging::{Page, Paging, Window},
        slug,
        values::{AccessLevel, Id, Name, Visibility},
    },
    error::{Error, Result},
};

/// Path segment of an endpoint, which cannot be an id: `/api/workspaces/restore`.
const RESERVED: &str = "restore";

/// How long a deleted workspace can be restored, in milliseconds.
pub const RESTORABLE_FOR: i64 = 30 * DAY;

/// The revision of a workspace that the caller can read.
pub fn revision(tx: &OrgViewTx<'_>, id: &str) -> Result<i64> {
    Ok(tx.view(id)?.workspace().metadata.revision)
}

/// Lists the workspaces that the caller can access.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<ListedWorkspace>> {
    let page = visible(tx, false, &paging.window("workspaces")?, |_| true)?;
    page.try_map(|workspace| Ok(ListedWorkspace { workspace, pk: None }))
}

/// Lists the deleted workspaces that the caller can restore.
pub fn list_deleted(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<ListedWorkspace>> {
    let oldest = tx.core().now - RESTORABLE_FOR;
    let owned = |workspace: &Workspace| matches!(workspace.my_role, None | Some(AccessLevel::Owner));
    let restorable =
        |workspace: &Workspace| owned(workspace) && workspace.deleted_at.is_some_and(|deleted_at| deleted_at >= oldest);
    let page = visible(tx, true, &paging.window("deleted-workspaces")?, restorable)?;
    page.try_map(|workspace| Ok(ListedWorkspace { pk: Some(workspace.pk), workspace }))
}

/// Workspaces in which the caller has an access level; for an administrator of the instance who reads all
/// organizations, all workspaces.
fn visible(
    tx: &OrgViewTx<'_>,
    deleted: bool,
    window: &Window<i64>,
    listed: impl Fn(&Workspace) -> bool,
) -> Result<Page<Workspace>> {
    let (caller, reach) = (tx.caller()?, tx.reach());
    store::workspaces::list(tx.core().conn, reach, caller.user_id, deleted, window, |workspace, membership| {
        let my_role = level_in(reach, caller, membership, &workspace);
        let visible = my_role.is_some() || *reach == Reach::Everything;
        let access_requests = workspace.access_requests.filter(|_| my_role == Some(AccessLevel::Owner));
        let access_requested_at = workspace.access_requested_at.filter(|_| my_role == Some(AccessLevel::Viewer));
        let workspace = Workspace { my_role, access_requests, access_requested_at, ..workspace };
        Some(workspace).filter(|workspace| visible && listed(workspace))
    })
}

/// Creates a workspace in the caller's organization, with the caller as its owner.
pub fn create(tx: &mut OrgTx<'_>, new: NewWorkspace) -> Result<Workspace> {
    let id = chosen_id(tx, new.id.as_ref(), &new.name)?;
    let caller = tx.caller()?;
    let org_id = caller.organization.as_ref().map(|organization| organization.id.clone());
    same("orgId", new.org_id.as_deref(), org_id.as_deref().unwrap_or_default())?;
    let workspace = Workspace {
        pk: 0,
        base_pk: None,
        protection: None,
        id,
        name: new.name.into(),
        description: new.description.map(String::from),
        owner_user_id: caller.user_id,
        org_id,
        visibility: new.visibility.unwrap_or(Visibility::Org),
        organization_access: new.organization_access.unwrap_or_default(),
        properties: new.properties.unwrap_or_default(),
        metadata: RowMetadata::default(),
        my_role: None,
        access_requests: None,
        access_requested_at: None,
        base_id: None,
        is_protected: None,
        deleted_at: None,
    };
    let owner = members::Member::new(workspace.owner_user_id, AccessLevel::Owner);
    tx.create_workspace(workspace, owner)?.workspace_now()
}

/// The given id, or without one a free id derived from the name. Fails if the given id is taken.
pub(in crate::domain) fn chosen_id(tx: &OrgTx<'_>, given: Option<&Id>, name: &Name) -> Result<String> {
    let conn = tx.core().conn;
    given.map_or(Ok(()), usable)?;
    let taken = |id: &str| Ok(id == RESERVED || store::workspaces::id_taken(conn, id)?);
    slug::chosen("workspace", given.map(Id::as_str), || slug::from_name(name.as_str()), taken)
}

/// Updates the fields of a workspace. Only an owner can change the visibility and the access of the organization.
pub fn update(tx: &mut EditTx<'_>, patch: WorkspacePatch) -> Result<Workspace> {
    tx.expect_workspace()?;
    let before = tx.workspace().clone();
    same("id", patch.id.as_deref(), &before.id)?;
    same("orgId", patch.org_id.as_deref(), before.org_id.as_deref().unwrap_or_default())?;
    let after = Workspace {
        name: patch.name.map_or_else(|| before.name.clone(), String::from),
        description: patch.description.map(String::from).or_else(|| before.description.clone()),
        properties: patch.properties.unwrap_or_else(|| before.properties.clone()),
        visibility: patch.visibility.unwrap_or(before.visibility),
        organization_access: patch.organization_access.unwrap_or(before.organization_access),
        ..before.clone()
    };
    if after.sharing() != before.sharing() && before.my_role != Some(AccessLevel::Owner) {
        let text = "changing the visibility and the access of the organization needs the access level owner";
        return Err(Error::Forbidden(text));
    }
    tx.update_workspace(after)
}

/// Updates the workspace's own fields. Returns also the id of the change set, if a field changed.
pub fn update_with_change_set(tx: &mut EditTx<'_>, patch: WorkspacePatch) -> Result<(Workspace, Option<String>)> {
    let before = tx.workspace().metadata.revision;
    let workspace = update(tx, patch)?;
    let is_changed = workspace.metadata.revision > before;
    Ok((workspace, is_changed.then(|| tx.core().call.change_set.clone())))
}

/// Deletes a workspace. Its id can be used again immediately. The workspace can be restored for 30 days.
pub fn delete(tx: &mut OwnTx<'_>) -> Result<()> {
    tx.expect_workspace()?;
    let deleted = Workspace { deleted_at: Some(tx.core().now), ..tx.workspace().clone() };
    tx.update_workspace(deleted).map(drop)
}

/// Restores a deleted workspace.
pub fn restore(tx: &mut OwnTx<'_>, id: Option<Id>) -> Result<Workspace> {
    const NOT_FOUND: Error = Error::NotFound("workspace");
    let before = tx.workspace().clone();
    before.deleted_at.filter(|at| *at >= tx.core().now - RESTORABLE_FOR).ok_or(NOT_FOUND)?;
    id.as_ref().map_or(Ok(()), usable)?;
    let id = id.map_or_else(|| before.id.clone(), String::from);
    if store::workspaces::id_taken(tx.core().conn, &id)? {
        let text = format!("the id `{id}` is now used by another workspace; give another `id` to restore under");
        return Err(Error::Conflict(text));
    }
    let owner_user_id = members::adopt(tx)?.unwrap_or(before.owner_user_id);
    tx.update_workspace(Workspace { id, owner_user_id, deleted_at: None, ..before })
}

/// Rejects an id that conflicts with the path of an endpoint.
pub(in crate::domain) fn usable(id: &Id) -> Result<()> {
    if id.as_str() == RESERVED {
        return Err(Error::invalid("id", format!("`{RESERVED}` is reserved; choose another id")));
    }
    Ok(())
}

/// Permanently removes workspaces that can no longer be restored. Returns how many were removed.
pub fn purge(tx: &mut SystemTx<'_>, now: i64) -> Result<usize> {
    store::workspaces::purge(tx.core().conn, now - RESTORABLE_FOR)
}
