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
    pub(super) described: PathItem,
    pub(super) schemas: Vec<(String, RefOr<Schema>)>,
    pub(super) handler: MethodRouter<Api>,
}

impl Route {
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
    Route { method, path, need, described, schemas, handler }
}
