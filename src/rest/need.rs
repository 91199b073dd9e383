//! What a route requires of its caller.

/// What a route needs of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Nothing.
    Public,
    /// Any credential.
    Me,
    /// A session, of a person who signed in.
    Session,
    /// Reading across the active organization; an instance administrator with none active reads across all.
    OrgView,
    /// Membership in the active organization.
    Org,
    /// The access level viewer, or an instance administrator who only looks.
    View,
    /// The access level editor.
    Edit,
    /// The access level owner.
    Own,
    /// Administration of the active organization. One in the path is that, or not to be found.
    OrgAdmin,
    /// Administration of the active organization, or of the instance while active in it.
    OrgKeeper,
    /// Administration of the instance.
    Admin,
}
