//! Handles on an organization.

use std::ops::{Deref, DerefMut};

use super::{
    super::{caller::Caller, core::Core, record::Record, store::scopes, workspace::Workspace},
    Directory, EditTx, OwnTx, Reach, Reads, ViewTx, forbidden,
};
use crate::{
    domain::values::OrgRole,
    error::{Error, Result},
};

/// An organization that is not the active one is another's, even where the caller is a member of it too.
const HIDDEN: Error = Error::NotFound("organization");

/// Reads across the active organization, or across all of them.
pub struct OrgViewTx<'c> {
    core: &'c Core<'c>,
    reach: Reach,
}

impl<'c> OrgViewTx<'c> {
    pub(in super::super) fn open(core: &'c Core<'c>) -> Result<Self> {
        Ok(Self { core, reach: Reach::of(core.caller()?)? })
    }

    /// The organization `id`, which must be the active one, as its admin; who sees all sees any.
    pub(in super::super) fn open_as_admin(core: &'c Core<'c>, id: &str) -> Result<Self> {
        let view = Self::open(core)?;
        if view.reach == Reach::Everything {
            scopes::organization_name(core.conn, id)?.ok_or(HIDDEN)?;
            return Ok(Self { reach: Reach::Organization(id.to_owned()), ..view });
        }
        OrgTx { view: view.within(id)? }.admin().map(|admin| admin.org.view)
    }

    fn within(self, id: &str) -> Result<Self> {
        if self.reach == Reach::Organization(id.to_owned()) { Ok(self) } else { Err(HIDDEN) }
    }

    /// Steps into a workspace to read in it.
    pub(in crate::domain) fn view(&self, id: &str) -> Result<ViewTx<'c>> {
        ViewTx::enter(self.core, &self.reach, scopes::living(self.core.conn, id)?)
    }

    /// Where to look.
    pub(in crate::domain) fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Who asks.
    pub(in crate::domain) fn caller(&self) -> Result<&Caller> {
        self.core.caller()
    }

    /// User id of the caller.
    pub fn user_id(&self) -> Result<i64> {
        self.core.caller().map(|caller| caller.user_id)
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
    pub(in super::super) fn open(core: &'c Core<'c>) -> Result<Self> {
        Ok(Self { view: OrgViewTx { core, reach: Reach::own(core.caller()?)? } })
    }

    /// The organization `id`, which must be the active one.
    pub(in super::super) fn open_at(core: &'c Core<'c>, id: &str) -> Result<Self> {
        Ok(Self { view: Self::open(core)?.view.within(id)? })
    }

    /// Follows a row of the organization that goes into one of its workspaces, whatever the caller's level there, to take
    /// out what goes with it: with a member their memberships, with a person what they are there.
    pub(in crate::domain) fn follow_into(&mut self, pk: i64) -> Result<OwnTx<'c>> {
        let core = self.view.core;
        let found = scopes::by_pk(core.conn, pk)?.map(|found| found.workspace);
        let own = found
            .filter(|workspace| self.view.reach == Reach::Organization(workspace.org_id.clone().unwrap_or_default()));
        own.map(|workspace| OwnTx::of_organization(core, workspace)).ok_or(Error::NotFound("workspace"))
    }

    /// The organization's id.
    pub(in crate::domain) fn organization_id(&self) -> Result<&str> {
        Ok(&self.caller()?.organization.as_ref().ok_or(Error::NoActiveOrganization)?.id)
    }

    /// The organization's people, teams and roles.
    pub(in crate::domain) fn directory(&self) -> Result<Directory<'c>> {
        Ok(Directory::new(self.view.core, self.organization_id()?.to_owned()))
    }

    /// Steps into a living workspace to write in it: none when the id is free in the whole instance, an error when it
    /// is another's.
    pub(in crate::domain) fn edit(&self, id: &str) -> Result<Option<EditTx<'c>>> {
        let found = scopes::living(self.view.core.conn, id)?;
        if found.is_none() {
            return Ok(None);
        }
        EditTx::from_view(ViewTx::enter(self.view.core, &self.view.reach, found)?).map(Some)
    }

    /// Creates a workspace in the organization, with the row that makes the caller its owner, and enters it.
    pub(in crate::domain) fn create_workspace<R: Record>(
        &mut self,
        workspace: Workspace,
        owner: R,
    ) -> Result<OwnTx<'c>> {
        let core = self.view.core;
        let scope = core.create_workspace(workspace)?;
        core.create(&scope, owner)?;
        let found = scopes::by_pk(core.conn, scope.workspace_pk().unwrap_or_default())?;
        OwnTx::from_view(ViewTx::enter(core, &self.view.reach, found)?)
    }
}

impl<'c> Deref for OrgTx<'c> {
    type Target = OrgViewTx<'c>;
    fn deref(&self) -> &OrgViewTx<'c> {
        &self.view
    }
}

/// Decides about the active organization: its name, its members, its invitations.
pub struct OrgAdminTx<'c> {
    org: OrgTx<'c>,
}

impl<'c> OrgAdminTx<'c> {
    pub(in super::super) fn open(core: &'c Core<'c>) -> Result<Self> {
        OrgTx::open(core)?.admin()
    }

    /// The organization `id`, which must be the active one.
    pub(in super::super) fn open_at(core: &'c Core<'c>, id: &str) -> Result<Self> {
        OrgTx::open_at(core, id)?.admin()
    }

    /// Goes on as the member that every admin is.
    pub(in crate::domain) fn into_org(self) -> OrgTx<'c> {
        self.org
    }
}

impl<'c> OrgTx<'c> {
    /// The same organization as its admin, if the caller is one.
    pub(in crate::domain) fn as_admin(&self) -> Result<OrgAdminTx<'c>> {
        Self { view: OrgViewTx { core: self.view.core, reach: self.view.reach.clone() } }.admin()
    }

    /// Goes on as an admin of the organization, if the caller is one.
    pub(in crate::domain) fn admin(self) -> Result<OrgAdminTx<'c>> {
        match self.caller()?.organization.as_ref().map(|organization| organization.role) {
            Some(OrgRole::Admin) => Ok(OrgAdminTx { org: self }),
            _ => forbidden("this needs an admin of the organization; ask one of them"),
        }
    }
}

impl<'c> Deref for OrgAdminTx<'c> {
    type Target = OrgTx<'c>;
    fn deref(&self) -> &OrgTx<'c> {
        &self.org
    }
}

impl DerefMut for OrgAdminTx<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.org
    }
}

/// Decides about what connects the active organization to the outside: an admin of it does, and an administrator of the
/// instance who is active in it, for the other half of such a connection is the instance's.
pub struct OrgKeeperTx<'c> {
    org: OrgTx<'c>,
}

impl<'c> OrgKeeperTx<'c> {
    pub(in super::super) fn open(core: &'c Core<'c>) -> Result<Self> {
        let org = OrgTx::open(core)?;
        if org.caller()?.is_admin { Ok(Self { org }) } else { org.admin().map(|admin| Self { org: admin.org }) }
    }
}

impl<'c> Deref for OrgKeeperTx<'c> {
    type Target = OrgTx<'c>;
    fn deref(&self) -> &OrgTx<'c> {
        &self.org
    }
}
