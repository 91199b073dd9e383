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
    /// Administration of the active organization, or of the instance with that organization active.
    OrgKeeper,
    /// Administration of the instance.
    Admin,
}
