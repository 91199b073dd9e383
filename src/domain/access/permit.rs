//! Permission before the body: what a request needs is checked on a reader before its body is read. The transaction that
//! does the work checks again. It runs on the threads that find out who calls, which no list can occupy.

use super::{
    call::Call,
    caller::Caller,
    gate::Gate,
    handles::{AdminTx, EditTx, OrgAdminTx, OrgKeeperTx, OrgTx, OrgViewTx, OwnTx, SessionTx, ViewTx},
};
use crate::{db::Weight, error::Result};

/// What a request needs, with the id of what it is needed for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// Any credential.
    Caller,
    /// A session of a person who signed in.
    Session,
    /// Read access across the active organization, or all of them.
    OrganizationView,
    /// Membership in the active organization.
    Organization,
    /// Administration of the organization with this id, or of the active one.
    OrganizationAdmin(Option<String>),
    /// Administration of what connects the active organization to other services.
    OrganizationKeeper,
    /// Access level viewer in a workspace.
    View(String),
    /// Access level editor in a workspace.
    Edit(String),
    /// Access level editor in a workspace, or membership in the active organization while its id is free.
    EditOrCreate(String),
    /// Access level owner in a workspace.
    Own(String),
    /// Administration of the instance.
    Instance,
}

impl Gate {
    /// Checks that the caller has `permission`, and looks up who calls.
    pub async fn permit(&self, call: Call, permission: Permission) -> Result<Caller> {
        self.read(Weight::Identity, call, move |core| {
            match &permission {
                Permission::Caller => core.caller().map(drop),
                Permission::Session => SessionTx::open(core).map(drop),
                Permission::OrganizationView => OrgViewTx::open(core).map(drop),
                Permission::Organization => OrgTx::open(core).map(drop),
                Permission::OrganizationAdmin(None) => OrgAdminTx::open(core).map(drop),
                Permission::OrganizationAdmin(Some(id)) => OrgAdminTx::open_at(core, id).map(drop),
                Permission::OrganizationKeeper => OrgKeeperTx::open(core).map(drop),
                Permission::View(id) => ViewTx::open(core, id).map(drop),
                Permission::Edit(id) => EditTx::open(core, id).map(drop),
                Permission::EditOrCreate(id) => OrgTx::open(core)?.edit(id).map(drop),
                Permission::Own(id) => OwnTx::open(core, id).map(drop),
                Permission::Instance => AdminTx::open(core).map(drop),
            }?;
            core.caller().cloned()
        })
        .await
    }
}
