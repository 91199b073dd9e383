//! Handles: the permissions that a caller holds inside a transaction. Fields are private, and only the gate can create
//! a handle.

mod caller;
mod comments;
mod directory;
mod draft;
mod organization;
mod personal;
mod requests;
mod shared;
mod workspace;

pub(in crate::domain) use self::directory::Directory;
pub use self::{
    caller::{AdminTx, PublicTx, SelfTx, SessionTx, SystemTx},
    comments::CommentTx,
    draft::{DraftTx, ProposerTx},
    organization::{MembershipTx, OrgAdminTx, OrgConnectionTx, OrgTx, OrgViewTx},
    personal::PersonalTx,
    requests::{AccessRequestTx, AccessRequesterTx},
    shared::SharedTx,
    workspace::{EditTx, OwnTx, ViewTx},
};
use super::{
    caller::{Caller, CallerKind},
    state::Core,
    store,
    workspace::Workspace,
};
use crate::{
    domain::values::{AccessLevel, OrgRole, OrganizationAccess, Visibility},
    error::{Error, Result},
};

/// Read access through any handle, only for `domain`.
pub(in crate::domain) trait Reads {
    /// The transaction.
    fn core(&self) -> &Core<'_>;
}

/// The organizations in which a caller can find workspaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::domain) enum Reach {
    /// The active organization.
    Organization(String),
    /// All organizations: an instance administrator without an active organization. Read-only.
    Everything,
}

impl Reach {
    /// The reach for reading.
    fn of(caller: &Caller) -> Result<Self> {
        match &caller.organization {
            Some(organization) => Ok(Self::Organization(organization.id.clone())),
            None if caller.is_admin && caller.kind == CallerKind::Session => Ok(Self::Everything),
            None => Err(Error::NoActiveOrganization),
        }
    }

    /// The reach for writing, which always requires an active organization, even for instance administrators.
    fn own(caller: &Caller) -> Result<Self> {
        let organization = caller.organization.as_ref().ok_or(Error::NoActiveOrganization)?;
        Ok(Self::Organization(organization.id.clone()))
    }
}

/// The access level of `caller` in a workspace within `reach`; none for a reader of all organizations.
pub(in crate::domain) fn level_in(
    reach: &Reach,
    caller: &Caller,
    membership: Option<AccessLevel>,
    workspace: &Workspace,
) -> Option<AccessLevel> {
    match reach {
        Reach::Organization(_) => level(caller, membership, workspace),
        Reach::Everything => None,
    }
}

/// The access level of `caller` in a workspace of their organization. The operator has full access.
fn level(caller: &Caller, membership: Option<AccessLevel>, workspace: &Workspace) -> Option<AccessLevel> {
    if caller.kind == CallerKind::Operator {
        return Some(AccessLevel::Owner);
    }
    let role = caller.organization.as_ref().map_or(OrgRole::Member, |organization| organization.role);
    level_of_member(role, membership, workspace)
}

/// The access level of a member of the workspace's organization: the highest of membership, visibility and
/// administration.
pub(in crate::domain::core) fn level_of_member(
    role: OrgRole,
    membership: Option<AccessLevel>,
    workspace: &Workspace,
) -> Option<AccessLevel> {
    let by_visibility = match workspace.sharing() {
        (Visibility::Org | Visibility::Members, _) if role == OrgRole::Admin => Some(AccessLevel::Owner),
        (Visibility::Org, OrganizationAccess::Edit) => Some(AccessLevel::Editor),
        (Visibility::Org, OrganizationAccess::View) => Some(AccessLevel::Viewer),
        (Visibility::Members | Visibility::Private, _) => None,
    };
    membership.max(by_visibility)
}

/// The access level in a draft of a user with the access level `level` in its base: its author and editors of the base edit
/// it until it ends. A draft has no owner.
fn draft_level(core: &Core<'_>, workspace_pk: i64, level: AccessLevel) -> Result<AccessLevel> {
    let Some(draft) = store::drafts::of_workspace(core.conn, workspace_pk)? else { return Ok(AccessLevel::Viewer) };
    let can_edit = level >= AccessLevel::Editor || draft.author_id == core.caller()?.user_id;
    Ok(if can_edit && !draft.has_ended { AccessLevel::Editor } else { AccessLevel::Viewer })
}

/// Rejects a caller who may see a resource but not perform this action.
fn forbidden<T>(why: &'static str) -> Result<T> {
    Err(Error::Forbidden(why))
}
