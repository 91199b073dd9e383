//! Handles for an organization.

use std::ops::{Deref, DerefMut};

use super::{Directory, EditTx, OwnTx, Reach, Reads, ViewTx, forbidden};
use crate::{
    domain::{
        core::{
            caller::Caller,
            record::Record,
            state::Core,
            store::{self},
            workspace::Workspace,
        },
        values::OrgRole,
    },
    error::{Error, Result},
};

/// Any organization other than the active one is hidden, even if the caller is a member of it.
const NOT_FOUND: Error = Error::NotFound("organization");
/// The revision of a new workspace.
const FIRST_REVISION: i64 = 1;

/// Read access to the active organization, or to all organizations.
pub struct OrgViewTx<'c> {
    core: &'c Core<'c>,
    reach: Reach,
}

impl<'c> OrgViewTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>) -> Result<Self> {
        Ok(Self { core, reach: Reach::of(core.caller()?)? })
    }

    /// Opens the organization `id` as its admin. It must be the active one, unless the caller has read access to all
    /// organizations.
    pub(in crate::domain::core) fn open_as_admin(core: &'c Core<'c>, id: &str) -> Result<Self> {
        let view = Self::open(core)?;
        if view.reach == Reach::Everything {
            store::scopes::organization_name(core.conn, id)?.ok_or(NOT_FOUND)?;
            return Ok(Self { reach: Reach::Organization(id.to_owned()), ..view });
        }
        OrgTx { view: view.within(id)? }.admin().map(|admin| admin.org.view)
    }

    fn within(self, id: &str) -> Result<Self> {
        if self.reach == Reach::Organization(id.to_owned()) { Ok(self) } else { Err(NOT_FOUND) }
    }

    /// Opens a workspace for reading.
    pub(in crate::domain) fn view(&self, id: &str) -> Result<ViewTx<'c>> {
        ViewTx::enter(self.core, &self.reach, store::scopes::living(self.core.conn, id)?)
    }

    /// The organizations in which workspaces are visible.
    pub(in crate::domain) fn reach(&self) -> &Reach {
        &self.reach
    }

    /// The caller.
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

/// Write access to the active organization.
pub struct OrgTx<'c> {
    view: OrgViewTx<'c>,
}

impl<'c> OrgTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>) -> Result<Self> {
        Ok(Self { view: OrgViewTx { core, reach: Reach::own(core.caller()?)? } })
    }

    /// Opens the organization `id`, which must be the active one.
    pub(in crate::domain::core) fn open_at(core: &'c Core<'c>, id: &str) -> Result<Self> {
        Ok(Self { view: Self::open(core)?.view.within(id)? })
    }

    /// Opens a workspace to remove rows that depend on a removed row of the organization, regardless of the caller's
    /// access level: memberships of a removed member, or stakeholders of a removed person. The maps of protected workspaces
    /// cannot be changed.
    pub(in crate::domain) fn follow_into(&mut self, pk: i64) -> Result<OwnTx<'c>> {
        let core = self.view.core;
        let found = store::scopes::by_pk(core.conn, pk)?.map(|found| found.workspace);
        let own = found
            .filter(|workspace| self.view.reach == Reach::Organization(workspace.org_id.clone().unwrap_or_default()));
        OwnTx::of_organization(core, own.ok_or(Error::NotFound("workspace"))?).guarded()
    }

    /// The organization's id.
    pub(in crate::domain) fn organization_id(&self) -> Result<&str> {
        Ok(&self.caller()?.organization.as_ref().ok_or(Error::NoActiveOrganization)?.id)
    }

    /// The organization's people, teams, roles and kinds.
    pub(in crate::domain) fn directory(&self) -> Result<Directory<'c>> {
        Ok(Directory::new(self.view.core, self.organization_id()?.to_owned()))
    }

    /// Opens an existing workspace for writing. None if the id is free in the whole instance; an error if the workspace
    /// belongs to another organization.
    pub(in crate::domain) fn edit(&self, id: &str) -> Result<Option<EditTx<'c>>> {
        let found = store::scopes::living(self.view.core.conn, id)?;
        if found.is_none() {
            return Ok(None);
        }
        EditTx::from_view(ViewTx::enter(self.view.core, &self.view.reach, found)?).map(Some)
    }

    /// Creates a workspace in the organization, with the member row that makes the caller its owner, and opens it.
    pub(in crate::domain) fn create_workspace<R: Record>(
        &mut self,
        workspace: Workspace,
        owner: R,
    ) -> Result<OwnTx<'c>> {
        let core = self.view.core;
        let scope = core.create_workspace(workspace, FIRST_REVISION)?;
        core.create(&scope, owner)?;
        let found = store::scopes::by_pk(core.conn, scope.workspace_pk().unwrap_or_default())?;
        OwnTx::from_view(ViewTx::enter(core, &self.view.reach, found)?)
    }
}

impl<'c> Deref for OrgTx<'c> {
    type Target = OrgViewTx<'c>;
    fn deref(&self) -> &OrgViewTx<'c> {
        &self.view
    }
}

/// Admin access to the active organization: its name, members and invitations.
pub struct OrgAdminTx<'c> {
    org: OrgTx<'c>,
}

impl<'c> OrgAdminTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>) -> Result<Self> {
        OrgTx::open(core)?.admin()
    }

    /// Opens the organization `id`, which must be the active one.
    pub(in crate::domain::core) fn open_at(core: &'c Core<'c>, id: &str) -> Result<Self> {
        OrgTx::open_at(core, id)?.admin()
    }

    /// Converts the handle to that of a member. Every admin is a member.
    pub(in crate::domain) fn into_org(self) -> OrgTx<'c> {
        self.org
    }
}

impl<'c> OrgTx<'c> {
    /// The admin handle of the same organization, if the caller is an admin.
    pub(in crate::domain) fn as_admin(&self) -> Result<OrgAdminTx<'c>> {
        Self { view: OrgViewTx { core: self.view.core, reach: self.view.reach.clone() } }.admin()
    }

    /// Converts the handle to that of an admin, if the caller is an admin.
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

/// Access to one membership in the active organization. Granted to the member and to admins of the organization.
pub struct MembershipTx<'c> {
    org: OrgTx<'c>,
    user_id: i64,
}

impl<'c> MembershipTx<'c> {
    /// Opens the membership of a user in the organization `id`, which must be the active one. For a caller who is not an
    /// admin, the error is the same whether or not the user is a member.
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, id: &str, user_id: i64) -> Result<Self> {
        let org = OrgTx::open_at(core, id)?;
        let org = if org.caller()?.user_id == user_id { org } else { org.admin()?.into_org() };
        Ok(Self { org, user_id })
    }

    /// The member.
    pub(in crate::domain) fn member_id(&self) -> i64 {
        self.user_id
    }
}

impl<'c> Deref for MembershipTx<'c> {
    type Target = OrgTx<'c>;
    fn deref(&self) -> &OrgTx<'c> {
        &self.org
    }
}

impl DerefMut for MembershipTx<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.org
    }
}

/// Access to the connections of the active organization to external services. Granted to its admins and to instance
/// administrators who are active in it, because such a connection also involves settings of the instance.
pub struct OrgConnectionTx<'c> {
    org: OrgTx<'c>,
}

impl<'c> OrgConnectionTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>) -> Result<Self> {
        let org = OrgTx::open(core)?;
        if org.caller()?.is_admin { Ok(Self { org }) } else { org.admin().map(|admin| Self { org: admin.org }) }
    }
}

impl<'c> Deref for OrgConnectionTx<'c> {
    type Target = OrgTx<'c>;
    fn deref(&self) -> &OrgTx<'c> {
        &self.org
    }
}
