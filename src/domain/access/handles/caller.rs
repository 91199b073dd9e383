//! Handles on what belongs to no organization: the caller's own affairs, the instance, and what has no caller.

use std::ops::Deref;

use super::{
    super::{caller::Caller, core::Core, store::scopes},
    OrgTx, OwnTx, Reads, forbidden,
};
use crate::{auth::Credential, error::Result};

/// The caller's own affairs: read through `&`, written through `&mut`.
pub struct SelfTx<'c> {
    core: &'c Core<'c>,
    caller: Caller,
}

impl<'c> SelfTx<'c> {
    pub(in super::super) fn open(core: &'c Core<'c>) -> Result<Self> {
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
    session_id: Option<i64>,
}

impl<'c> SessionTx<'c> {
    pub(in super::super) fn open(core: &'c Core<'c>) -> Result<Self> {
        let own = SelfTx::open(core)?;
        match &core.call.credential {
            Some(Credential::Session(claims)) => Ok(Self { own, session_id: Some(claims.sid) }),
            Some(Credential::External(_)) => Ok(Self { own, session_id: None }),
            _ => forbidden("this needs a session: sign in with a password; tokens cannot do it"),
        }
    }

    /// The session that asks; none when it is the identity provider's.
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

/// Administers the instance: users, audit, settings, waitlist.
pub struct AdminTx<'c> {
    core: &'c Core<'c>,
}

impl<'c> AdminTx<'c> {
    pub(in super::super) fn open(core: &'c Core<'c>) -> Result<Self> {
        if core.caller()?.is_admin {
            Ok(Self { core })
        } else {
            forbidden("this is for administrators of the instance only; ask one of them")
        }
    }

    /// Who asks; nobody when the operator does.
    pub(in crate::domain) fn caller(&self) -> Option<&Caller> {
        self.core.caller().ok()
    }

    /// Goes on to the administrator's own affairs.
    pub fn own(&self) -> Result<SelfTx<'c>> {
        SelfTx::open(self.core)
    }

    /// The same, as a person who signed in.
    pub fn session(&self) -> Result<SessionTx<'c>> {
        SessionTx::open(self.core)
    }

    /// Goes on to the organization that the administrator acts in; `id`, if given, must be its id.
    pub(in crate::domain) fn organization(&self, id: Option<&str>) -> Result<OrgTx<'c>> {
        id.map_or_else(|| OrgTx::open(self.core), |id| OrgTx::open_at(self.core, id))
    }
}

impl Reads for AdminTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}

/// What anybody may do: sign in, set up the first account.
pub struct PublicTx<'c> {
    core: &'c Core<'c>,
}

impl<'c> PublicTx<'c> {
    pub(in super::super) fn open(core: &'c Core<'c>) -> Self {
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
    pub(in super::super) fn open(core: &'c Core<'c>) -> Self {
        Self { core }
    }

    /// Goes on as an administrator of the instance, under an administrator's rules.
    pub fn admin(&mut self) -> AdminTx<'c> {
        AdminTx { core: self.core }
    }

    /// Steps into a living workspace, in nobody's name: for what follows from the outside and is nobody's decision. None
    /// when it is gone.
    pub(in crate::domain) fn keep_up(&mut self, pk: i64) -> Result<Option<OwnTx<'c>>> {
        Ok(self.any_workspace(pk)?.filter(|own| own.workspace().deleted_at.is_none()))
    }

    /// The same for a workspace that may be deleted and can be restored.
    pub(in crate::domain) fn any_workspace(&mut self, pk: i64) -> Result<Option<OwnTx<'c>>> {
        let found = scopes::by_pk(self.core.conn, pk)?.map(|found| found.workspace);
        Ok(found.map(|workspace| OwnTx::of_organization(self.core, workspace)))
    }
}

impl Reads for SystemTx<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}
