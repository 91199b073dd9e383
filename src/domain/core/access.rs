//! The permissions that requests need, as types: each opens the transaction handle that grants it.
//!
//! The extractors of REST handlers and the functions of MCP tools name one of these types, so the permission of a route
//! or tool follows from its code.

use super::{
    handles::{
        AccessRequestTx, AccessRequesterTx, AdminTx, CommentTx, DraftTx, EditTx, MembershipTx, OrgAdminTx,
        OrgConnectionTx, OrgTx, OrgViewTx, OwnTx, PersonalTx, ProposerTx, PublicTx, SelfTx, SessionTx, SharedTx,
        ViewTx,
    },
    state::Core,
};
use crate::error::Result;

/// The permission that a route or a tool requires of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// None: the route is public.
    Public,
    /// Any credential.
    User,
    /// A session of a user who signed in. Access tokens are not sufficient.
    Session,
    /// Read access across the active organization. Instance administrators without one have read access across all.
    OrgReader,
    /// Membership in the active organization.
    Member,
    /// Access level viewer in the workspace. Instance administrators have read access without it.
    Viewer,
    /// A session of a user with the access level viewer in the workspace, and no higher one.
    AccessRequester,
    /// Access level editor in the workspace.
    Editor,
    /// Access level owner in the workspace.
    Owner,
    /// Administration of the active organization. If the path contains the id of another organization, the response is
    /// 404.
    OrgAdmin,
    /// Management of the connection of the active organization to the wiki. Admins of the organization have it, and
    /// instance administrators with that organization active.
    ConnectionManager,
    /// Administration of the instance.
    Admin,
}

/// A permission. [`Gate::read`](super::Gate::read) and [`Gate::write`](super::Gate::write) open its handle.
pub trait Access: sealed::Open {
    /// The permission as a value.
    const NEED: Need;
}

/// A permission to write. A repeated request with an idempotency key gets the first response.
pub trait WriteAccess: Access {}

/// A permission to write for requests that have no idempotency key, or whose response must not be stored.
pub trait UnstoredAccess: Access {}

pub(in crate::domain::core) mod sealed {
    use super::{Core, Result};

    /// The transaction in which a handle is opened. Only the gate creates it.
    #[derive(Clone, Copy)]
    pub struct Transaction<'c>(pub(in crate::domain::core) &'c Core<'c>);

    /// Opens the handle of a permission. Private, so that no permission is added elsewhere.
    pub trait Open: Send + Sync + Sized + 'static {
        /// What the permission is for: a workspace or organization, or `()` if it follows from the caller.
        type Scope: Send + 'static;
        /// The handle.
        type Tx<'c>;

        /// Opens the handle if the caller has the permission.
        fn open<'c>(transaction: Transaction<'c>, scope: &Self::Scope) -> Result<Self::Tx<'c>>;
    }
}

/// Declares permissions: name, [`Need`], type of the scope, handle, and how it is opened.
macro_rules! permissions {
    ($($(#[$doc:meta])* $name:ident: $need:ident, $scope:ty => $tx:ident, |$core:ident, $given:pat_param| $open:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}

        impl sealed::Open for $name {
            type Scope = $scope;
            type Tx<'c> = $tx<'c>;

            fn open<'c>(sealed::Transaction($core): sealed::Transaction<'c>, $given: &$scope) -> Result<$tx<'c>> {
                $open
            }
        }

        impl Access for $name {
            const NEED: Need = Need::$need;
        }
    )+};
}

permissions! {
    /// No permission: sign-in and the initial setup.
    Public: Public, () => PublicTx, |core, ()| Ok(PublicTx::open(core));
    /// The address of a share link, which proves itself.
    SharedLink: Public, String => SharedTx, |core, token| SharedTx::open(core, token);
    /// Any credential, for the caller's account.
    User: User, () => SelfTx, |core, ()| SelfTx::open(core);
    /// The caller's account as a user who signed in: a token cannot create tokens.
    SessionUser: Session, () => SessionTx, |core, ()| SessionTx::open(core);
    /// Read access to the active organization, or to all organizations for an instance administrator without one.
    OrgReader: OrgReader, () => OrgViewTx, |core, ()| OrgViewTx::open(core);
    /// Membership in the active organization.
    Member: Member, () => OrgTx, |core, ()| OrgTx::open(core);
    /// Access level viewer in the workspace with this id.
    Viewer: Viewer, String => ViewTx, |core, id| ViewTx::open(core, id);
    /// The caller's own data in the workspace with this id, with the access level viewer there.
    PersonalViewer: Viewer, String => PersonalTx, |core, id| PersonalTx::open(core, id);
    /// Comments in the workspace with this id, with the access level viewer there.
    Commenter: Viewer, String => CommentTx, |core, id| CommentTx::open(core, id);
    /// Access level viewer in the workspace with this id, to start a draft of it.
    Proposer: Viewer, String => ProposerTx, |core, id| ProposerTx::open(core, id);
    /// Access level viewer in the base of the draft with this id.
    DraftReader: Viewer, String => DraftTx, |core, id| DraftTx::open(core, id);
    /// Access level viewer in the base of the draft with this id, in the active organization. `drafts` checks what else an
    /// action needs.
    Drafter: Viewer, String => DraftTx, |core, id| DraftTx::open_own(core, id);
    /// Access level editor in the base of the draft with this id, in the active organization.
    DraftMerger: Editor, String => DraftTx, |core, id| DraftTx::open_to_merge(core, id);
    /// A signed-in user with exactly the access level viewer in the workspace with this id.
    AccessRequester: AccessRequester, String => AccessRequesterTx, |core, id| AccessRequesterTx::open(core, id);
    /// Access level owner in the workspace or, for one's own access request, viewer.
    AccessRequestManager: Owner, AccessRequestScope => AccessRequestTx, |core, request| {
        AccessRequestTx::open(core, &request.workspace_id, request.user_id)
    };
    /// Access level editor in the workspace with this id.
    Editor: Editor, String => EditTx, |core, id| EditTx::open(core, id);
    /// Access level editor in the workspace with this id, for what is not part of its map.
    EditorBesideMap: Editor, String => EditTx, |core, id| EditTx::open_beside_map(core, id);
    /// Access level editor in the workspace with this id or, if the id is free, membership in the active organization.
    EditorOrCreator: Editor, String => OrgTx, |core, id| {
        let tx = OrgTx::open(core)?;
        tx.edit(id).map(|_| tx)
    };
    /// Access level viewer in the workspace with this id, and membership in the active organization, in which the
    /// workspace is duplicated.
    Duplicator: Viewer, String => OrgTx, |core, id| {
        let tx = OrgTx::open(core)?;
        tx.view(id).map(|_| tx)
    };
    /// Access level owner in the workspace with this id.
    Owner: Owner, String => OwnTx, |core, id| OwnTx::open(core, id);
    /// Access level owner in the workspace with this key, which may be deleted.
    OwnerOfDeleted: Owner, i64 => OwnTx, |core, pk| OwnTx::open_by_pk(core, *pk);
    /// Administration of an organization, which must be the active one.
    OrgAdmin: OrgAdmin, OrganizationScope => OrgAdminTx, |core, organization| match organization {
        OrganizationScope::Active => OrgAdminTx::open(core),
        OrganizationScope::Id(id) => OrgAdminTx::open_at(core, id),
    };
    /// Read access to the organization with this id as its admin, or as an instance administrator without an active
    /// organization.
    OrgAdminReader: OrgAdmin, String => OrgViewTx, |core, id| OrgViewTx::open_as_admin(core, id);
    /// Administration of an organization or, for one's own membership, membership.
    MembershipManager: OrgAdmin, MembershipScope => MembershipTx, |core, membership| {
        MembershipTx::open(core, &membership.organization_id, membership.user_id)
    };
    /// Management of the connections of the active organization to external services.
    ConnectionManager: ConnectionManager, () => OrgConnectionTx, |core, ()| OrgConnectionTx::open(core);
    /// Administration of the instance.
    Admin: Admin, () => AdminTx, |core, ()| AdminTx::open(core);
}

impl WriteAccess for User {}
impl WriteAccess for SessionUser {}
impl WriteAccess for Member {}
impl WriteAccess for PersonalViewer {}
impl WriteAccess for Commenter {}
impl WriteAccess for Proposer {}
impl WriteAccess for Drafter {}
impl WriteAccess for DraftMerger {}
impl WriteAccess for AccessRequester {}
impl WriteAccess for AccessRequestManager {}
impl WriteAccess for Editor {}
impl WriteAccess for EditorBesideMap {}
impl WriteAccess for EditorOrCreator {}
impl WriteAccess for Duplicator {}
impl WriteAccess for Owner {}
impl WriteAccess for OwnerOfDeleted {}
impl WriteAccess for OrgAdmin {}
impl WriteAccess for MembershipManager {}
impl WriteAccess for Admin {}
impl UnstoredAccess for Public {}
impl UnstoredAccess for SharedLink {}
impl UnstoredAccess for ConnectionManager {}

/// The organization that a request administers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrganizationScope {
    /// The active one.
    Active,
    /// The one with this id, which must be the active one.
    Id(String),
}

/// A membership in an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MembershipScope {
    /// Id of the organization, which must be the active one.
    pub organization_id: String,
    /// The member.
    pub user_id: i64,
}

/// An access request in a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessRequestScope {
    /// Id of the workspace.
    pub workspace_id: String,
    /// The user who requests access.
    pub user_id: i64,
}
