//! The handles: what a caller holds inside a transaction. Fields are private and nothing outside the gate can build one.

use std::ops::{Deref, DerefMut};

use super::{
    Caller, CallerKind, Precondition, Record,
    core::{Core, Scope},
    forbidden,
};
use crate::{
    domain::{
        members::Member,
        store,
        values::{AccessLevel, OrgRole, Visibility},
        workspaces::Workspace,
    },
    error::{Error, Result},
};

/// Every handle can be read through, by `domain` alone.
pub(in crate::domain) trait Reads {
    /// The transaction.
    fn core(&self) -> &Core<'_>;
}

/// Where a caller looks for workspaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::domain) enum Reach {
    /// The active organization.
    Organization(String),
    /// All of them: an instance administrator with no organization active. For reading only.
    Everything,
}

impl Reach {
    fn of(caller: &Caller) -> Result<Self> {
        match &caller.organization {
            Some(organization) => Ok(Self::Organization(organization.id.clone())),
            None if caller.is_admin && caller.kind == CallerKind::Session => Ok(Self::Everything),
            None => Err(Error::NoActiveOrganization),
        }
    }
}

/// The access level of `caller` in a workspace within `reach`: none for one who looks at everything.
pub(in crate::domain) fn level_in(
    reach: &Reach,
    caller: &Caller,
    membership: Option<AccessLevel>,
    visibility: Visibility,
) -> Option<AccessLevel> {
    match reach {
        Reach::Organization(_) => level(caller, membership, visibility),
        Reach::Everything => None,
    }
}

/// The access level of `caller` in a workspace of their organization: the strongest of membership, visibility and
/// administration. The operator may do everything.
fn level(caller: &Caller, membership: Option<AccessLevel>, visibility: Visibility) -> Option<AccessLevel> {
    if caller.kind == CallerKind::Operator {
        return Some(AccessLevel::Owner);
    }
    let admin = caller.organization.as_ref().is_some_and(|organization| organization.role == OrgRole::Admin);
    let by_visibility = match visibility {
        Visibility::Org | Visibility::Members if admin => Some(AccessLevel::Owner),
        Visibility::Org => Some(AccessLevel::Viewer),
        Visibility::Members | Visibility::Private => None,
    };
    membership.max(by_visibility)
}

/// Reads one workspace.
pub struct ViewTx<'c> {
    core: &'c Core<'c>,
    scope: Scope,
    workspace: Workspace,
    directory_revision: i64,
}

impl<'c> ViewTx<'c> {
    pub(super) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        let reach = Reach::of(core.caller()?)?;
        Self::enter(core, &reach, store::workspaces::living(core.conn, id)?)
    }

    fn enter(core: &'c Core<'c>, reach: &Reach, found: Option<store::workspaces::Found>) -> Result<Self> {
        const HIDDEN: Error = Error::NotFound("workspace");
        let store::workspaces::Found { mut workspace, directory_revision } = found.ok_or(HIDDEN)?;
        let caller = core.caller()?;
        let organization_id = workspace.org_id.clone().unwrap_or_default();
        if let Reach::Organization(active) = reach {
            if *active != organization_id {
                return Err(HIDDEN);
            }
            let membership = store::members::level(core.conn, workspace.pk, caller.user_id)?;
            workspace.my_role = Some(level(caller, membership, workspace.visibility).ok_or(HIDDEN)?);
        }
        let scope = Scope::Workspace { pk: workspace.pk, organization_id };
        Ok(Self { core, scope, workspace, directory_revision })
    }

    /// The workspace as it was when the transaction began, with the caller's access level.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The revision of the people, teams and roles that the workspace refers to.
    pub(in crate::domain) fn directory_revision(&self) -> i64 {
        self.directory_revision
    }

    /// The key of the workspace's rows.
    pub(in crate::domain) fn pk(&self) -> i64 {
        self.workspace.pk
    }
}

impl Reads for ViewTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}

/// Writes in one workspace.
pub struct EditTx<'c> {
    view: ViewTx<'c>,
}

impl<'c> EditTx<'c> {
    pub(super) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        Self::from_view(ViewTx::enter(core, &own_reach(core)?, store::workspaces::living(core.conn, id)?)?)
    }

    fn from_view(view: ViewTx<'c>) -> Result<Self> {
        match view.workspace.my_role {
            Some(AccessLevel::Editor | AccessLevel::Owner) => Ok(Self { view }),
            _ => forbidden("changing this workspace needs the access level editor; ask one of its owners"),
        }
    }

    /// Refuses the request when its `If-Match` names another state of `row`.
    pub(in crate::domain) fn expect<R: Record>(&self, row: &R) -> Result<()> {
        let mut row = row.clone();
        let (revision, by) = (row.written().revision, row.written().updated_by);
        self.expect_tag(|tag| tag == revision.to_string(), by, &row)
    }

    /// The same for the workspace as a whole, whose tag is that of its bundle.
    pub(in crate::domain) fn expect_workspace(&self) -> Result<()> {
        let workspace = &self.view.workspace;
        let state = format!("{}-{}-", workspace.pk, workspace.written.revision);
        self.expect_tag(|tag| tag.starts_with(&state), workspace.written.updated_by, workspace)
    }

    fn expect_tag(
        &self,
        matches: impl Fn(&str) -> bool,
        changed_by: Option<i64>,
        current: &impl serde::Serialize,
    ) -> Result<()> {
        match &self.core.call.precondition {
            Precondition::None | Precondition::Exists => Ok(()),
            Precondition::OneOf(tags) if tags.iter().any(|tag| matches(tag)) => Ok(()),
            Precondition::OneOf(_) => Err(Error::Stale {
                current: Box::new(serde_json::to_value(current)?),
                changed_by: changed_by.map(|id| store::users::author(self.core.conn, id)).transpose()?.flatten(),
            }),
        }
    }

    /// Writes a new row.
    pub(in crate::domain) fn create<R: Record>(&mut self, row: R) -> Result<R> {
        self.core.create(&self.view.scope, row)
    }

    /// Writes a row over another; when they are equal, nothing.
    pub(in crate::domain) fn update<R: Record>(&mut self, before: &R, after: R) -> Result<R> {
        self.core.update(&self.view.scope, before, after)
    }

    /// Removes a row.
    pub(in crate::domain) fn delete<R: Record>(&mut self, row: &R) -> Result<()> {
        self.core.delete(&self.view.scope, row)
    }

    /// Writes the workspace's own row, and reads it again: its revision has moved.
    pub(in crate::domain) fn update_workspace(&mut self, after: Workspace) -> Result<Workspace> {
        let before = Workspace { my_role: None, ..self.view.workspace.clone() };
        self.core.update(&self.view.scope, &before, Workspace { my_role: None, ..after })?;
        self.workspace_now()
    }

    /// The workspace as this transaction has made it.
    pub(in crate::domain) fn workspace_now(&self) -> Result<Workspace> {
        let found = store::workspaces::by_pk(self.core.conn, self.view.workspace.pk)?;
        let found = found.ok_or(Error::NotFound("workspace"))?;
        Ok(Workspace { my_role: self.view.workspace.my_role, ..found.workspace })
    }
}

/// Writing is never done with no organization active: the instance administrator's reach ends there.
fn own_reach(core: &Core<'_>) -> Result<Reach> {
    let organization = core.caller()?.organization.as_ref().ok_or(Error::NoActiveOrganization)?;
    Ok(Reach::Organization(organization.id.clone()))
}

impl<'c> Deref for EditTx<'c> {
    type Target = ViewTx<'c>;
    fn deref(&self) -> &ViewTx<'c> {
        &self.view
    }
}

/// Decides about one workspace: visibility, members, deletion.
pub struct OwnTx<'c> {
    edit: EditTx<'c>,
}

impl<'c> OwnTx<'c> {
    pub(super) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        Self::from_view(ViewTx::enter(core, &own_reach(core)?, store::workspaces::living(core.conn, id)?)?)
    }

    pub(super) fn open_deleted(core: &'c Core<'c>, pk: i64) -> Result<Self> {
        let found = store::workspaces::by_pk(core.conn, pk)?.filter(|found| found.workspace.deleted_at.is_some());
        Self::from_view(ViewTx::enter(core, &own_reach(core)?, found)?)
    }

    fn from_view(view: ViewTx<'c>) -> Result<Self> {
        match view.workspace.my_role {
            Some(AccessLevel::Owner) => Ok(Self { edit: EditTx { view } }),
            _ => forbidden("this needs the access level owner; ask one of the workspace's owners"),
        }
    }
}

impl<'c> Deref for OwnTx<'c> {
    type Target = EditTx<'c>;
    fn deref(&self) -> &EditTx<'c> {
        &self.edit
    }
}

impl DerefMut for OwnTx<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.edit
    }
}

/// Reads across the active organization, or across all of them.
pub struct OrgViewTx<'c> {
    core: &'c Core<'c>,
    reach: Reach,
}

impl<'c> OrgViewTx<'c> {
    pub(super) fn open(core: &'c Core<'c>) -> Result<Self> {
        Ok(Self { core, reach: Reach::of(core.caller()?)? })
    }

    /// Where to look.
    pub(in crate::domain) fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Who asks.
    pub(in crate::domain) fn caller(&self) -> Result<&Caller> {
        self.core.caller()
    }
}

impl Reads for OrgViewTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}

/// Writes in the active organization.
pub struct OrgTx<'c> {
    view: OrgViewTx<'c>,
}

impl<'c> OrgTx<'c> {
    pub(super) fn open(core: &'c Core<'c>) -> Result<Self> {
        Ok(Self { view: OrgViewTx { core, reach: own_reach(core)? } })
    }

    /// Steps into a living workspace to write in it: none when the id is free in the whole instance, an error when it
    /// is another's.
    pub(in crate::domain) fn edit(&self, id: &str) -> Result<Option<EditTx<'c>>> {
        let found = store::workspaces::living(self.view.core.conn, id)?;
        if found.is_none() {
            return Ok(None);
        }
        EditTx::from_view(ViewTx::enter(self.view.core, &self.view.reach, found)?).map(Some)
    }

    /// Founds a workspace in the organization, with the caller as its owner, and steps into it.
    pub(in crate::domain) fn found(&mut self, workspace: Workspace) -> Result<OwnTx<'c>> {
        let core = self.view.core;
        let caller = core.caller()?;
        let scope = core.found(workspace)?;
        core.create(&scope, Member::new(caller.user_id, AccessLevel::Owner))?;
        let found = store::workspaces::by_pk(core.conn, scope.workspace_pk().unwrap_or_default())?;
        OwnTx::from_view(ViewTx::enter(core, &self.view.reach, found)?)
    }
}

impl<'c> Deref for OrgTx<'c> {
    type Target = OrgViewTx<'c>;
    fn deref(&self) -> &OrgViewTx<'c> {
        &self.view
    }
}

/// The caller's own affairs: read through `&`, written through `&mut`.
pub struct SelfTx<'c> {
    core: &'c Core<'c>,
    caller: Caller,
}

impl<'c> SelfTx<'c> {
    pub(super) fn open(core: &'c Core<'c>) -> Result<Self> {
        Ok(Self { core, caller: core.caller()?.clone() })
    }

    /// Who asks.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }
}

impl Reads for SelfTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}

/// The affairs of a person who signed in.
pub struct SessionTx<'c> {
    own: SelfTx<'c>,
}

impl<'c> SessionTx<'c> {
    pub(super) fn open(core: &'c Core<'c>) -> Result<Self> {
        let own = SelfTx::open(core)?;
        match own.caller.kind {
            CallerKind::Session => Ok(Self { own }),
            _ => forbidden("this needs a session: sign in with a password; tokens cannot do it"),
        }
    }
}

impl<'c> Deref for SessionTx<'c> {
    type Target = SelfTx<'c>;
    fn deref(&self) -> &SelfTx<'c> {
        &self.own
    }
}

/// What anybody may do: sign in, set up the first account.
pub struct PublicTx<'c> {
    core: &'c Core<'c>,
}

impl<'c> PublicTx<'c> {
    pub(super) fn open(core: &'c Core<'c>) -> Self {
        Self { core }
    }
}

impl Reads for PublicTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}

/// What the operator at the command line and our timers do.
pub struct SystemTx<'c> {
    core: &'c Core<'c>,
}

impl<'c> SystemTx<'c> {
    pub(super) fn open(core: &'c Core<'c>) -> Self {
        Self { core }
    }
}

impl Reads for SystemTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}
