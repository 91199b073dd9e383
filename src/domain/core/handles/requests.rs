//! Handles for access requests of a workspace.

use std::ops::Deref;

use super::{Reach, ViewTx, forbidden};
use crate::{
    domain::{
        core::{caller::CallerKind, state::Core, store},
        values::AccessLevel,
    },
    error::{Error, Result},
};

/// Access of a signed-in user to a workspace that they can read and cannot edit: to request edit access.
pub struct AccessRequesterTx<'c> {
    view: ViewTx<'c>,
}

impl<'c> AccessRequesterTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        let view = enter(core, id)?;
        if view.workspace().base_pk.is_some() {
            return Err(Error::Conflict("a draft has the members of its workspace; request access there".into()));
        }
        if core.caller()?.kind != CallerKind::Session {
            return forbidden("access is requested by people: sign in; tokens cannot do it");
        }
        match view.workspace().my_role {
            Some(AccessLevel::Viewer) => Ok(Self { view }),
            _ => Err(Error::Conflict("you can edit this workspace already".into())),
        }
    }
}

impl<'c> Deref for AccessRequesterTx<'c> {
    type Target = ViewTx<'c>;
    fn deref(&self) -> &ViewTx<'c> {
        &self.view
    }
}

/// Access to one access request of a workspace. Granted to its user and to owners of the workspace.
pub struct AccessRequestTx<'c> {
    view: ViewTx<'c>,
    requester_id: i64,
}

impl<'c> AccessRequestTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, id: &str, requester_id: i64) -> Result<Self> {
        let view = enter(core, id)?;
        if view.user_id()? != requester_id && view.workspace().my_role != Some(AccessLevel::Owner) {
            return forbidden("this needs the access level owner; ask one of the workspace's owners");
        }
        Ok(Self { view, requester_id })
    }

    /// The user who requests access.
    pub(in crate::domain) fn requester_id(&self) -> i64 {
        self.requester_id
    }
}

impl<'c> Deref for AccessRequestTx<'c> {
    type Target = ViewTx<'c>;
    fn deref(&self) -> &ViewTx<'c> {
        &self.view
    }
}

/// Opens a workspace of the active organization.
fn enter<'c>(core: &'c Core<'c>, id: &str) -> Result<ViewTx<'c>> {
    ViewTx::enter(core, &Reach::own(core.caller()?)?, store::scopes::living(core.conn, id)?)
}
