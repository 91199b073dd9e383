//! Handles for a single workspace.

use std::ops::{Deref, DerefMut};

use super::{Reach, Reads, draft_level, forbidden, level};
use crate::{
    domain::{
        core::{
            record::{Entity, Record},
            scope::Scope,
            state::Core,
            store::{self, scopes::FoundWorkspace},
            workspace::{Workspace, WorkspaceKey},
        },
        values::AccessLevel,
    },
    error::{Error, Result},
};

/// Read access to a workspace.
pub struct ViewTx<'c> {
    pub(super) core: &'c Core<'c>,
    scope: Scope,
    workspace: Workspace,
    directory_revision: i64,
}

impl<'c> ViewTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        let reach = Reach::of(core.caller()?)?;
        Self::enter(core, &reach, store::scopes::living(core.conn, id)?)
    }

    /// User id of the caller.
    pub fn user_id(&self) -> Result<i64> {
        self.core.caller().map(|caller| caller.user_id)
    }

    pub(super) fn enter(core: &'c Core<'c>, reach: &Reach, found: Option<FoundWorkspace>) -> Result<Self> {
        const NOT_FOUND: Error = Error::NotFound("workspace");
        let FoundWorkspace { mut workspace, directory_revision } = found.ok_or(NOT_FOUND)?;
        let caller = core.caller()?;
        let organization_id = workspace.org_id.clone().unwrap_or_default();
        if let Reach::Organization(active) = reach {
            if *active != organization_id {
                return Err(NOT_FOUND);
            }
            let membership = store::scopes::workspace_level(core.conn, workspace.pk, caller.user_id)?;
            let mut level = level(caller, membership, &workspace).ok_or(NOT_FOUND)?;
            if workspace.base_pk.is_some() {
                level = draft_level(core, workspace.pk, level)?;
            }
            workspace = workspace.seen_by(core, level)?;
        }
        let scope = Scope::Workspace { pk: workspace.pk, organization_id };
        Ok(Self { core, scope, workspace, directory_revision })
    }

    /// Opens a workspace without a caller: for a share link, whose address is the permission, and for background jobs.
    pub(super) fn shared(core: &'c Core<'c>, found: FoundWorkspace) -> Self {
        let FoundWorkspace { workspace, directory_revision } = found;
        let scope =
            Scope::Workspace { pk: workspace.pk, organization_id: workspace.org_id.clone().unwrap_or_default() };
        Self { core, scope, workspace, directory_revision }
    }

    /// The workspace at the start of the transaction, with the caller's access level.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The directory revision, for people, teams, roles and kinds that the workspace refers to.
    pub(in crate::domain) fn directory_revision(&self) -> i64 {
        self.directory_revision
    }

    /// The key of the workspace's rows.
    pub(in crate::domain) fn pk(&self) -> i64 {
        self.workspace.pk
    }

    /// The key of the workspace whose members and settings apply: its base, if this is a draft.
    pub(in crate::domain) fn access_pk(&self) -> i64 {
        self.workspace.access_pk()
    }

    /// The key of the workspace's rows, with the workspace id.
    pub(in crate::domain) fn key(&self) -> WorkspaceKey<'_> {
        WorkspaceKey { pk: self.workspace.pk, id: &self.workspace.id }
    }
}

impl Reads for ViewTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}

/// Write access to a workspace.
pub struct EditTx<'c> {
    view: ViewTx<'c>,
    /// Whether the map is protected from this transaction.
    is_protected: bool,
}

impl<'c> EditTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        Self::from_view(ViewTx::enter(core, &Reach::own(core.caller()?)?, store::scopes::living(core.conn, id)?)?)
    }

    /// Opens a workspace for changes of what is not part of its map and cannot be proposed in a draft, such as versions.
    pub(in crate::domain::core) fn open_beside_map(core: &'c Core<'c>, id: &str) -> Result<Self> {
        Self::open(core, id).or_else(|error| match error {
            Error::ViewOnly(_) => forbidden("this needs the access level editor; ask one of the workspace's owners"),
            error => Err(error),
        })
    }

    pub(super) fn from_view(view: ViewTx<'c>) -> Result<Self> {
        match view.workspace.my_role {
            Some(level @ (AccessLevel::Editor | AccessLevel::Owner)) => {
                let is_protected = view.workspace.is_protected_from(level);
                Ok(Self { view, is_protected })
            }
            _ if view.workspace.base_pk.is_some() => forbidden(
                "changing a draft needs its author, or the access level editor in its workspace, before it is merged or closed",
            ),
            _ => {
                // A read-only credential cannot start a draft.
                view.core.caller()?.may_write()?;
                Err(Error::ViewOnly(view.workspace.id))
            }
        }
    }

    /// Rejects the request if its `If-Match` does not match `row`.
    pub(in crate::domain) fn expect<R: Record>(&self, row: &R) -> Result<()> {
        self.expect_as(row, row)
    }

    /// Like [`Self::expect`], for a row that is read in a different shape than it is written in.
    pub(in crate::domain) fn expect_as<R: Record>(&self, row: &R, shown: &impl serde::Serialize) -> Result<()> {
        self.core.expect(row, shown)
    }

    /// Like [`Self::expect`], for data of a workspace that is not a row of it, given its `revision` and author.
    pub(in crate::domain) fn expect_revision(
        &self,
        revision: i64,
        by: Option<i64>,
        shown: &impl serde::Serialize,
    ) -> Result<()> {
        self.core.expect_tag(|tag| self.core.is_row_tag(tag, revision), revision, by, shown)
    }

    /// Like [`Self::expect`], for the workspace as a whole, whose entity tag is that of its bundle.
    pub(in crate::domain) fn expect_workspace(&self) -> Result<()> {
        let workspace = &self.view.workspace;
        let revision = workspace.metadata.revision;
        let state = format!("{}-{}-{revision}-", self.core.incarnation().short(), workspace.pk);
        self.core.expect_tag(|tag| tag.starts_with(&state), revision, workspace.metadata.updated_by, workspace)
    }

    /// The same handle for the merge of a draft, which protection does not prevent.
    pub(super) fn merging(self) -> Self {
        Self { is_protected: false, ..self }
    }

    /// Rejects writes of rows in a protected workspace. This is the only check: all writes of a request come through here.
    /// Who can access the workspace is no part of its map, and owners decide about it.
    pub(in crate::domain) fn expect_unprotected(&self, entity: Entity) -> Result<()> {
        if self.is_protected && entity != Entity::Member {
            return Err(Error::Protected(self.view.workspace.id.clone()));
        }
        Ok(())
    }

    /// Gives the workspace a new revision, even if this transaction writes no row.
    pub(in crate::domain) fn step_revision(&mut self) -> Result<()> {
        self.core.revision(&self.view.scope).map(drop)
    }

    /// Allows a change of a source, although sources are not rows of the map. Fails in a protected workspace, where they change
    /// by a merge like its rows. In a draft, approvals become invalid, because a merge includes its sources.
    pub(in crate::domain) fn change_source(&mut self) -> Result<()> {
        self.expect_unprotected(Entity::Workspace)?;
        self.step_draft()
    }

    /// Gives a draft a new revision, which invalidates its approvals, and records who has changed its sources.
    pub(in crate::domain) fn step_draft(&mut self) -> Result<()> {
        if self.view.workspace.base_pk.is_none() {
            return Ok(());
        }
        self.step_revision()?;
        self.core.audit_source_change(&self.view.workspace)
    }

    /// Writes a new row.
    pub(in crate::domain) fn create<R: Record>(&mut self, row: R) -> Result<R> {
        self.expect_unprotected(R::ENTITY)?;
        self.core.create(&self.view.scope, row)
    }

    /// Restores a deleted row.
    pub(in crate::domain) fn restore<R: Record>(&mut self, row: R) -> Result<R> {
        self.expect_unprotected(R::ENTITY)?;
        self.core.restore(&self.view.scope, row)
    }

    /// Updates a row; writes nothing if both are equal.
    pub(in crate::domain) fn update<R: Record>(&mut self, before: &R, after: R) -> Result<R> {
        self.expect_unprotected(R::ENTITY)?;
        self.core.update(&self.view.scope, before, after)
    }

    /// Deletes a row.
    pub(in crate::domain) fn delete<R: Record>(&mut self, row: &R) -> Result<()> {
        self.expect_unprotected(R::ENTITY)?;
        self.core.delete(&self.view.scope, row)
    }

    /// Updates the workspace's own row and reads it again, because its revision has changed.
    pub(in crate::domain) fn update_workspace(&mut self, after: Workspace) -> Result<Workspace> {
        let before = self.view.workspace.clone().stored();
        if (&before.name, &before.description, &before.properties)
            != (&after.name, &after.description, &after.properties)
        {
            self.expect_unprotected(Entity::Workspace)?;
        }
        self.core.update(&self.view.scope, &before, after.stored())?;
        // Now, and not only at the end of the transaction, so that the response has the number of remaining requests.
        self.core.settle_access_in(self.view.workspace.pk)?;
        self.workspace_now()
    }

    /// The workspace including the writes of this transaction.
    pub(in crate::domain) fn workspace_now(&self) -> Result<Workspace> {
        let found = store::scopes::by_pk(self.core.conn, self.view.workspace.pk)?;
        let found = found.ok_or(Error::NotFound("workspace"))?;
        match self.view.workspace.my_role {
            Some(level) => found.workspace.seen_by(self.core, level),
            None => Ok(found.workspace),
        }
    }
}

impl<'c> Deref for EditTx<'c> {
    type Target = ViewTx<'c>;
    fn deref(&self) -> &ViewTx<'c> {
        &self.view
    }
}

/// Owner access to a workspace: visibility, members, deletion.
pub struct OwnTx<'c> {
    edit: EditTx<'c>,
}

impl<'c> OwnTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        Self::from_view(ViewTx::enter(core, &Reach::own(core.caller()?)?, store::scopes::living(core.conn, id)?)?)
    }

    pub(in crate::domain::core) fn open_by_pk(core: &'c Core<'c>, pk: i64) -> Result<Self> {
        let found = store::scopes::by_pk(core.conn, pk)?;
        Self::from_view(ViewTx::enter(core, &Reach::own(core.caller()?)?, found)?)
    }

    /// Opens a workspace for consequences of changes in the organization, regardless of the caller's access level.
    pub(super) fn of_organization(core: &'c Core<'c>, workspace: Workspace) -> Self {
        let organization_id = workspace.org_id.clone().unwrap_or_default();
        let scope = Scope::Workspace { pk: workspace.pk, organization_id };
        let view = ViewTx { core, scope, workspace, directory_revision: 0 };
        Self { edit: EditTx { view, is_protected: false } }
    }

    /// Protects the map from changes through this handle, unless the workspace is deleted or the caller can change it directly.
    pub(super) fn guarded(mut self) -> Result<Self> {
        let EditTx { view: ViewTx { core, workspace, .. }, is_protected } = &mut self.edit;
        let level = core.actor().map_or(Ok(None), |user_id| core.level_of(workspace, user_id))?;
        *is_protected =
            workspace.deleted_at.is_none() && workspace.is_protected_from(level.unwrap_or(AccessLevel::Viewer));
        Ok(self)
    }

    pub(super) fn from_view(view: ViewTx<'c>) -> Result<Self> {
        match view.workspace.my_role {
            _ if view.workspace.base_pk.is_some() => {
                forbidden("a draft has the members and settings of its workspace; its owners change them there")
            }
            Some(AccessLevel::Owner) => Ok(Self { edit: EditTx::from_view(view)? }),
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
