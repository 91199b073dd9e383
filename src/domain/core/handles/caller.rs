//! Handles for data outside an organization: the caller's account, the instance, and transactions without a caller.

use std::ops::Deref;

use super::{OrgTx, OrgViewTx, OwnTx, Reads, ViewTx, forbidden};
use crate::{
    auth::Credential,
    domain::core::{
        caller::Caller,
        state::Core,
        store::{self},
    },
    error::Result,
};

/// Access to the caller's account: read through `&`, written through `&mut`.
pub struct SelfTx<'c> {
    core: &'c Core<'c>,
    caller: Caller,
}

impl<'c> SelfTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>) -> Result<Self> {
        Ok(Self { core, caller: core.caller()?.clone() })
    }

    /// The caller.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }
}

impl Reads for SelfTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}

/// Access to the account of a user who signed in.
pub struct SessionTx<'c> {
    own: SelfTx<'c>,
    session_id: Option<i64>,
}

impl<'c> SessionTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>) -> Result<Self> {
        let own = SelfTx::open(core)?;
        match &core.call.credential {
            Some(Credential::Session(claims)) => Ok(Self { own, session_id: Some(claims.sid) }),
            Some(Credential::External(_)) => Ok(Self { own, session_id: None }),
            _ => forbidden("this needs a session: sign in with a password; tokens cannot do it"),
        }
    }

    /// Id of the current session; none for a token of the identity provider.
    pub(in crate::domain) fn session_id(&self) -> Option<i64> {
        self.session_id
    }
}

impl<'c> Deref for SessionTx<'c> {
    type Target = SelfTx<'c>;
    fn deref(&self) -> &SelfTx<'c> {
        &self.own
    }
}

/// Administrator access to the instance: users, audit log, settings, waitlist.
pub struct AdminTx<'c> {
    core: &'c Core<'c>,
}

impl<'c> AdminTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>) -> Result<Self> {
        if core.caller()?.is_admin {
            Ok(Self { core })
        } else {
            forbidden("this is for administrators of the instance only; ask one of them")
        }
    }

    /// The caller; none for the operator.
    pub(in crate::domain) fn caller(&self) -> Option<&Caller> {
        self.core.caller().ok()
    }

    /// Opens the administrator's own account.
    pub fn own(&self) -> Result<SelfTx<'c>> {
        SelfTx::open(self.core)
    }

    /// Opens the administrator's own account as a user who signed in.
    pub fn session(&self) -> Result<SessionTx<'c>> {
        SessionTx::open(self.core)
    }

    /// Opens what the administrator can read of organizations; none for the operator and for instance tokens, which
    /// have no access to organizations.
    pub(in crate::domain) fn organizations(&self) -> Option<OrgViewTx<'c>> {
        OrgViewTx::open(self.core).ok()
    }

    /// Opens the administrator's active organization. If `id` is given, it must be its id.
    pub(in crate::domain) fn organization(&self, id: Option<&str>) -> Result<OrgTx<'c>> {
        id.map_or_else(|| OrgTx::open(self.core), |id| OrgTx::open_at(self.core, id))
    }
}

impl Reads for AdminTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}

/// Public access: signing in and setting up the first account.
pub struct PublicTx<'c> {
    core: &'c Core<'c>,
}

impl<'c> PublicTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>) -> Self {
        Self { core }
    }
}

impl Reads for PublicTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}

/// Access for the operator at the command line and for background jobs.
pub struct SystemTx<'c> {
    core: &'c Core<'c>,
}

impl<'c> SystemTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>) -> Self {
        Self { core }
    }

    /// Converts the handle to that of an instance administrator, whose rules then apply.
    pub fn admin(&mut self) -> AdminTx<'c> {
        AdminTx { core: self.core }
    }

    /// Opens a workspace without a caller, for changes that follow from external events. None if the workspace was
    /// deleted.
    pub(in crate::domain) fn open_workspace(&mut self, pk: i64) -> Result<Option<OwnTx<'c>>> {
        Ok(self.any_workspace(pk)?.filter(|own| own.workspace().deleted_at.is_none()))
    }

    /// Opens a workspace for reading without a caller. None if it was deleted.
    pub(in crate::domain) fn view_workspace(&self, pk: i64) -> Result<Option<ViewTx<'c>>> {
        let found = store::scopes::by_pk(self.core.conn, pk)?.filter(|found| found.workspace.deleted_at.is_none());
        Ok(found.map(|found| ViewTx::shared(self.core, found)))
    }

    /// Like [`Self::open_workspace`], but also opens deleted workspaces that can be restored.
    pub(in crate::domain) fn any_workspace(&mut self, pk: i64) -> Result<Option<OwnTx<'c>>> {
        let found = store::scopes::by_pk(self.core.conn, pk)?.map(|found| found.workspace);
        Ok(found.map(|workspace| OwnTx::of_organization(self.core, workspace)))
    }
}

impl Reads for SystemTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}
