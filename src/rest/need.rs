//! The permission that a route requires.

/// The permission that a route requires of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// None: the route is public.
    Public,
    /// Any credential.
    Me,
    /// A session of a user who signed in. Access tokens are not sufficient.
    Session,
    /// Read access across the active organization. Instance administrators without one have read access across all.
    OrgView,
    /// Membership in the active organization.
    Org,
    /// Access level viewer in the workspace. Instance administrators have read access without it.
    View,
    /// Access level editor in the workspace.
    Edit,
    /// Access level owner in the workspace.
    Own,
    /// Administration of the active organization. If the path contains the id of another organization, the response is
    /// 404.
    OrgAdmin,
    /// Management of the connection of the active organization to the wiki. Admins of the organization have it, and
    /// instance administrators with that organization active.
    OrgConnection,
    /// Administration of the instance.
    Admin,
}
