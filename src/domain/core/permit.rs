//! Early permission checks: the permission for a request is checked on a reader before the request body is read.
//!
//! The transaction that does the work checks again. The early check runs on the threads that identify callers, which
//! list requests cannot occupy.

use super::{
    call::Call,
    caller::Caller,
    gate::Gate,
    handles::{AdminTx, EditTx, OrgAdminTx, OrgConnectionTx, OrgTx, OrgViewTx, OwnTx, SessionTx, ViewTx},
};
use crate::{db::Weight, error::Result};

/// The permission that a request needs, with the id of the resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// Any valid credential.
    Caller,
    /// A session of a user who signed in.
    Session,
    /// Read access to the active organization, or to all organizations.
    OrganizationView,
    /// Membership in the active organization.
    Organization,
    /// Admin of the organization with this id, or of the active one.
    OrganizationAdmin(Option<String>),
    /// Access to the connections of the active organization to external services.
    OrganizationConnection,
    /// Access level viewer in a workspace.
    View(String),
    /// Access level editor in a workspace.
    Edit(String),
    /// Access level editor in a workspace, or membership in the active organization if the workspace id is free.
    EditOrCreate(String),
    /// Access level owner in a workspace.
    Own(String),
    /// Administrator of the instance.
    Instance,
}

impl Gate {
    /// Checks that the caller has `permission`, and returns the caller.
    pub async fn permit(&self, call: Call, permission: Permission) -> Result<Caller> {
        self.read(Weight::Identity, call, move |core| {
            match &permission {
                Permission::Caller => core.caller().map(drop),
                Permission::Session => SessionTx::open(core).map(drop),
                Permission::OrganizationView => OrgViewTx::open(core).map(drop),
                Permission::Organization => OrgTx::open(core).map(drop),
                Permission::OrganizationAdmin(None) => OrgAdminTx::open(core).map(drop),
                Permission::OrganizationAdmin(Some(id)) => OrgAdminTx::open_at(core, id).map(drop),
                Permission::OrganizationConnection => OrgConnectionTx::open(core).map(drop),
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
