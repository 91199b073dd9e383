//! A row of the route table.

use std::sync::Arc;

use axum::{
    extract::Request,
    handler::Handler,
    http::Method,
    response::Response,
    routing::{MethodFilter, MethodRouter, on},
};
use futures_util::future::BoxFuture;

use super::{
    access::{Extractors, Need},
    api::Api,
};

use crate::describe::openapi::{HttpMethod, RefOr, Schema, path::Operation};

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
    /// A write in a workspace that is not in the change log: it has no change set and takes no `If-Match`.
    Unlogged,
    /// The response has an entity tag, and `If-None-Match` makes the request conditional.
    EntityTag,
    /// The response is an image of another server.
    Image,
    /// The body is an image, not JSON.
    Upload,
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

/// Placeholder for the path in `#[describe::path]`: only the route table contains paths.
pub(super) const IN_TABLE: &str = "";

/// What the annotations of a handler say: the schemas that it refers to, its methods, and the operation.
#[cfg(feature = "contracts")]
pub(super) struct Description {
    pub(super) schemas: Vec<(String, RefOr<Schema>)>,
    pub(super) methods: Vec<HttpMethod>,
    pub(super) operation: Operation,
}

/// Declares the route table: method, path, handler, and the [`Fact`]s of a route in brackets.
macro_rules! routes {
    ($($method:ident $path:literal $($handler:ident)::+ $([$($fact:ident $(($code:literal))?),+])?;)+) => {
        /// All routes of the API.
        pub fn table() -> Vec<Route> {
            vec![$($crate::rest::route::row(
                axum::http::Method::$method,
                $path,
                $($handler)::+,
                &[$($($crate::rest::route::Fact::$fact $(($code))?),+)?],
            )),+]
        }

        /// The descriptions of the handlers, in the order of [`table`].
        #[cfg(feature = "contracts")]
        fn descriptions() -> Vec<$crate::rest::route::Description> {
            // Without the routers of `utoipa_axum`, which would be compiled for each handler and never used.
            vec![$({
                let mut schemas = Vec::new();
                let (_, operation, methods) = utoipa_axum::routes!(@resolve_types $($handler)::+ : schemas);
                $crate::rest::route::Description { schemas, methods, operation }
            }),+]
        }
    };
}
pub(super) use routes;

/// Creates a row of the route table. `handler` determines the permission.
pub(super) fn row<H, T>(method: Method, path: &'static str, handler: H, facts: &'static [Fact]) -> Route
where
    H: Handler<T, Api, Future = BoxFuture<'static, Response>> + Sync,
    T: Extractors + 'static,
{
    let call = move |request: Request, api: Api| handler.clone().call(request, api);
    untyped_row(method, path, (T::NEED, T::READS_QUERY), facts, Untyped(Arc::new(call)))
}

fn untyped_row(
    method: Method,
    path: &'static str,
    (need, reads_query): (Need, bool),
    facts: &'static [Fact],
    handler: Untyped,
) -> Route {
    let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET);
    Route { method, path, need, reads_query, facts, handler: on(filter, handler) }
}

/// A handler whose type the compiler does not know, so that the code of routers exists once for all handlers.
#[derive(Clone)]
struct Untyped(Arc<dyn Fn(Request, Api) -> BoxFuture<'static, Response> + Send + Sync>);

impl Handler<(), Api> for Untyped {
    type Future = BoxFuture<'static, Response>;

    fn call(self, request: Request, api: Api) -> Self::Future {
        self.0(request, api)
    }
}
