//! A row of the route table.

use axum::{http::Method, routing::MethodRouter};
use utoipa::openapi::{
    PathItem, RefOr, Schema,
    path::{Parameter, ParameterIn},
};

use super::{api::Api, need::Need};

/// One route.
pub struct Route {
    /// HTTP method.
    pub method: Method,
    /// Path, with `{parameters}`.
    pub path: &'static str,
    /// Required permission.
    pub need: Need,
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
        let item = &self.described;
        let in_query = |one: &RefOr<Parameter>| matches!(one, RefOr::T(one) if one.parameter_in == ParameterIn::Query);
        let operation = [&item.post, &item.put, &item.patch, &item.delete].into_iter().flatten().next();
        let parameters = operation.map(|operation| operation.parameters.as_deref().unwrap_or_default());
        parameters.is_none_or(|all| all.iter().any(in_query))
    }
}

/// Placeholder for the path in `#[utoipa::path]`: only the route table contains paths.
pub(super) const IN_TABLE: &str = "";

/// The type of the result of `routes!`.
type Described = (Vec<(String, RefOr<Schema>)>, utoipa::openapi::path::Paths, MethodRouter<Api>);

/// Creates a row of the route table. The last argument is the result of `routes!` for the handler.
pub(super) fn row(method: Method, path: &'static str, need: Need, (schemas, described, handler): Described) -> Route {
    let described = described.paths.into_values().next().unwrap_or_default();
    Route { method, path, need, facts: &[], described, schemas, handler }
}
