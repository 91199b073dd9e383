//! A row of the route table.

use axum::{handler::Handler, http::Method, routing::MethodRouter};
use utoipa::openapi::{PathItem, RefOr, Schema};

use super::{
    access::{Extractors, Need},
    api::Api,
};

/// One route.
pub struct Route {
    /// HTTP method.
    pub method: Method,
    /// Path, with `{parameters}`.
    pub path: &'static str,
    /// Required permission, which follows from the handler.
    pub need: Need,
    pub(super) reads_query: bool,
    pub(super) facts: &'static [Fact],
    pub(super) described: PathItem,
    pub(super) schemas: Vec<(String, RefOr<Schema>)>,
    pub(super) handler: MethodRouter<Api>,
}

/// What a route accepts and can answer, as far as it does not follow from its method and the required permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fact {
    /// The route has no queue and no rate limit.
    Unqueued,
    /// A public route that reads an access token if the request has one.
    OptionalToken,
    /// A public route that reads the refresh cookie if the request has one.
    RefreshCookie,
    /// Begins or renews a session in an organization that the caller selects, which may be hidden from them.
    SelectsOrganization,
    /// Requires an active organization although the permission does not.
    ActiveOrganization,
    /// The body or the query names a resource that may not exist or be hidden from the caller.
    NamesHidden,
    /// The current state can prevent the request, for example because an owner would be the last one to leave.
    Conflict,
    /// The current state cannot prevent the request, although the method is POST.
    NoConflict,
    /// Stakeholder links can use the resource to delete. Contains the error code.
    InUse(&'static str),
    /// `If-Match` makes the request conditional. Holds for all changes of a workspace.
    Precondition,
    /// The write is part of a change set, which `X-Batch-Id` can label. Holds for all writes in a workspace and of
    /// members of an organization.
    ChangeSet,
    /// The response has an entity tag, and `If-None-Match` makes the request conditional.
    EntityTag,
    /// The response is an image of another server.
    Image,
    /// Applies several operations.
    Operations,
    /// Requires a connection to the wiki.
    NeedsWiki,
    /// Calls the wiki.
    CallsWiki,
    /// Reads a page or database that the wiki may not have.
    ReadsWikiPage,
    /// Reads the URL of a wiki page or database.
    WikiLink,
}

impl Route {
    /// Declares what the route accepts and can answer.
    pub(super) fn with(self, facts: &'static [Fact]) -> Self {
        Self { facts, ..self }
    }

    /// Whether the path contains `{parameters}`.
    pub(super) fn has_path_parameters(&self) -> bool {
        self.path.contains('{')
    }

    /// Whether this is declared for the route.
    pub(super) fn has(&self, fact: Fact) -> bool {
        self.facts.contains(&fact)
    }

    /// Whether the URL may have a query. Reads accept any query because some clients add one to bypass caches.
    pub(super) fn accepts_query(&self) -> bool {
        self.reads_query || self.method == Method::GET
    }
}

/// Placeholder for the path in `#[utoipa::path]`: only the route table contains paths.
pub(super) const IN_TABLE: &str = "";

/// The type of the result of `routes!`.
pub(super) type Described = (Vec<(String, RefOr<Schema>)>, utoipa::openapi::path::Paths, MethodRouter<Api>);

/// Creates a row of the route table: method, path and handler.
macro_rules! route {
    ($method:expr, $path:literal, $($handler:tt)+) => {
        $crate::rest::route::row($method, $path, $($handler)+, utoipa_axum::routes!($($handler)+))
    };
}
pub(super) use route;

/// Creates a row of the route table. `handler` determines the permission, and `routes!` has described it.
pub(super) fn row<H, T>(method: Method, path: &'static str, handler: H, described: Described) -> Route
where
    H: Handler<T, Api>,
    T: Extractors,
{
    let _ = handler;
    let (schemas, described, handler) = described;
    let described = described.paths.into_values().next().unwrap_or_default();
    Route { method, path, need: T::NEED, reads_query: T::READS_QUERY, facts: &[], described, schemas, handler }
}
