//! The permission of a route, which follows from the extractors of its handler.

use axum::{
    extract::{RawPathParams, RawQuery, State},
    http::HeaderMap,
};

pub use crate::domain::core::access::{
    Access, AccessRequestManager, AccessRequestScope, AccessRequester, Admin, Commenter, ConnectionManager,
    DraftMerger, DraftReader, Drafter, Duplicator, Editor, EditorBesideMap, EditorOrCreator, Member, MembershipManager,
    MembershipScope, Need, OrgAdmin, OrgAdminReader, OrgReader, OrganizationScope, Owner, OwnerOfDeleted,
    PersonalViewer, Proposer, Public, SessionUser, User, Viewer,
};
use crate::{domain::accounts::sign_in::Visitor, encoding::AcceptsGzip};

/// A permission whose scope is in the path of the route.
pub trait PathScope: Access {
    /// The scope. None if the body names it: then the handler's transaction is the only check of the permission.
    fn scope(path: &RawPathParams) -> Option<Self::Scope>;
}

fn parameter(path: &RawPathParams, name: &str) -> Option<String> {
    path.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

/// Permissions that follow from the caller.
macro_rules! without_scope {
    ($($access:ty),+) => {$(
        impl PathScope for $access {
            fn scope(_: &RawPathParams) -> Option<()> {
                Some(())
            }
        }
    )+};
}

without_scope!(Public, User, SessionUser, OrgReader, Member, ConnectionManager, Admin);

/// Permissions in the workspace of the path.
macro_rules! in_workspace {
    ($($access:ty),+) => {$(
        impl PathScope for $access {
            fn scope(path: &RawPathParams) -> Option<String> {
                parameter(path, "id")
            }
        }
    )+};
}

in_workspace!(
    Viewer,
    PersonalViewer,
    Commenter,
    Proposer,
    DraftReader,
    Drafter,
    DraftMerger,
    AccessRequester,
    Duplicator,
    Editor,
    EditorBesideMap,
    EditorOrCreator,
    Owner
);

impl PathScope for OwnerOfDeleted {
    fn scope(_: &RawPathParams) -> Option<i64> {
        None
    }
}

impl PathScope for OrgAdmin {
    fn scope(path: &RawPathParams) -> Option<OrganizationScope> {
        Some(parameter(path, "orgId").map_or(OrganizationScope::Active, OrganizationScope::Id))
    }
}

impl PathScope for OrgAdminReader {
    fn scope(path: &RawPathParams) -> Option<String> {
        parameter(path, "orgId")
    }
}

impl PathScope for MembershipManager {
    fn scope(path: &RawPathParams) -> Option<MembershipScope> {
        let (organization_id, user_id) = (parameter(path, "orgId")?, parameter(path, "userId")?.parse().ok()?);
        Some(MembershipScope { organization_id, user_id })
    }
}

/// What a route requires and accepts as far as it follows from an extractor of its handler.
pub trait Extractor {
    /// The permission. None for extractors that say nothing about it.
    const NEED: Option<Need> = None;
    /// Whether the extractor reads the query.
    const READS_QUERY: bool = false;
}

impl<T: Extractor, E> Extractor for Result<T, E> {
    const NEED: Option<Need> = T::NEED;
    const READS_QUERY: bool = T::READS_QUERY;
}

impl Extractor for RawQuery {
    const READS_QUERY: bool = true;
}

impl<S> Extractor for State<S> {}
impl Extractor for HeaderMap {}
impl Extractor for AcceptsGzip {}
impl Extractor for Visitor {}

/// The extractors of a handler. axum passes them as a tuple whose first item says how the last one reads the request.
pub trait Extractors {
    /// The permission that the handler requires. A handler whose extractors name none, or different ones, does not
    /// compile.
    const NEED: Need;
    /// Whether the handler reads the query.
    const READS_QUERY: bool;
}

const fn common(needs: &[Option<Need>]) -> Need {
    let mut found: Option<Need> = None;
    let mut at = 0;
    while at < needs.len() {
        if let Some(need) = needs[at] {
            assert!(
                match found {
                    Some(other) => other as u8 == need as u8,
                    None => true,
                },
                "the extractors of a handler require different permissions"
            );
            found = Some(need);
        }
        at += 1;
    }
    found.expect("no extractor of the handler names a permission; a public route takes `Anonymous`")
}

macro_rules! handlers {
    ($([$($extractor:ident),+])+) => {$(
        impl<M, $($extractor: Extractor),+> Extractors for (M, $($extractor,)+) {
            const NEED: Need = common(&[$($extractor::NEED),+]);
            const READS_QUERY: bool = $($extractor::READS_QUERY)||+;
        }
    )+};
}

handlers! { [A] [A, B] [A, B, C] [A, B, C, D] [A, B, C, D, E] [A, B, C, D, E, F] [A, B, C, D, E, F, G] }
