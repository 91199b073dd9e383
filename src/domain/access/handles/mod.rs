//! The handles: what a caller holds inside a transaction. Fields are private and nothing outside the gate can build one.

mod caller;
mod directory;
mod organization;
mod workspace;

pub(in crate::domain) use self::directory::Directory;
pub use self::{
    caller::{AdminTx, PublicTx, SelfTx, SessionTx, SystemTx},
    organization::{OrgAdminTx, OrgKeeperTx, OrgTx, OrgViewTx},
    workspace::{EditTx, OwnTx, ViewTx},
};
use super::{
    caller::{Caller, CallerKind},
    core::Core,
};
use crate::{
    domain::values::{AccessLevel, OrgRole, Visibility},
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
    /// For reading.
    fn of(caller: &Caller) -> Result<Self> {
        match &caller.organization {
            Some(organization) => Ok(Self::Organization(organization.id.clone())),
            None if caller.is_admin && caller.kind == CallerKind::Session => Ok(Self::Everything),
            None => Err(Error::NoActiveOrganization),
        }
    }

    /// For writing, which is never done with no organization active: the instance administrator's reach ends there.
    fn own(caller: &Caller) -> Result<Self> {
        let organization = caller.organization.as_ref().ok_or(Error::NoActiveOrganization)?;
        Ok(Self::Organization(organization.id.clone()))
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

/// Refuses a caller who may see a resource, but not do this.
fn forbidden<T>(why: &'static str) -> Result<T> {
    Err(Error::Forbidden(why))
}
