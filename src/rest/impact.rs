//! Dependencies of components: impact and paths.

use axum::{extract::State, response::Response};
use serde::Deserialize;

use super::{
    access::Viewer,
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query},
    responses,
    route::IN_TABLE,
};
use crate::{
    describe::IntoParams,
    domain::{
        catalogue,
        core::ViewTx,
        map::impact::{self, Direction, Impact, MAX_PATH_LENGTH, MAX_PATHS, Paths, TypeFilter},
        values::Id,
    },
};

// The attributes of utoipa accept only literals.
const _: () = assert!(Id::MAX_CHARS == 128 && MAX_PATH_LENGTH == 100 && MAX_PATHS == 50);

/// Options of an impact analysis.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ImpactQuery {
    /// Id of the component to start from.
    #[param(min_length = 1, max_length = 128, example = "checkout")]
    component_id: String,
    /// `dependents` for components that depend on it, `dependencies` for components that it depends on. Default:
    /// `dependents`.
    #[serde(default)]
    #[param(inline, required = false)]
    direction: Direction,
    /// Maximum distance in relationships, 1 to 100. Default: 100.
    #[param(minimum = 1, maximum = 100)]
    depth: Option<u32>,
    /// Relationship types to follow, separated by commas. Default: all types whose `dependsOn` is not `none`.
    #[param(schema_with = catalogue::relation_type_list, required = false, example = "calls,uses")]
    relation_types: Option<String>,
}

/// Get the impact of a component
///
/// Lists all direct and indirect dependents or dependencies of the component, nearest first, each with the last
/// relationship of a shortest path to it, and the groups, processes and owners affected. `dependsOn` of the relationship
/// type in the type catalog says which end depends on the other one. Types with `none` are followed only if
/// `relationTypes` lists them: from source to target, undirected ones both ways.
#[crate::describe::path(get, path = IN_TABLE, tag = "Impact", operation_id = "getImpact", params(ImpactQuery),
    responses((status = 200, description = "The reached components", body = Impact)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(ImpactQuery { component_id, direction, depth, relation_types }): Query<ImpactQuery>,
) -> Result<Response> {
    let kinds = TypeFilter::new(relation_types.as_deref())?;
    let read = move |tx: &ViewTx<'_>| impact::reach(tx, &component_id, direction, depth, &kinds);
    Ok(responses::json(responses::large_read(&api, call, id, read).await?))
}

/// Options of a path search.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PathsQuery {
    /// Id of the first component.
    #[param(min_length = 1, max_length = 128, example = "web")]
    from: String,
    /// Id of the last component.
    #[param(min_length = 1, max_length = 128, example = "orders-db")]
    to: String,
    /// Maximum number of paths, 1 to 50. Default: 5.
    #[param(minimum = 1, maximum = 50)]
    count: Option<u32>,
    /// Maximum length of a path in relationships, 1 to 100. Default: 12.
    #[param(minimum = 1, maximum = 100)]
    longest: Option<u32>,
    /// Relationship types to follow, separated by commas. Default: all types whose `dependsOn` is not `none`.
    #[param(schema_with = catalogue::relation_type_list, required = false, example = "calls,uses")]
    relation_types: Option<String>,
}

/// Find paths between two components
///
/// Paths lead from a component to one that it depends on, along the same relationships as the impact. A path contains each
/// component at most once. The shortest path is first.
#[crate::describe::path(get, path = IN_TABLE, tag = "Impact", operation_id = "findPaths", params(PathsQuery),
    responses((status = 200, description = "The paths", body = Paths)))]
pub async fn paths(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(PathsQuery { from, to, count, longest, relation_types }): Query<PathsQuery>,
) -> Result<Response> {
    let kinds = TypeFilter::new(relation_types.as_deref())?;
    let read = move |tx: &ViewTx<'_>| impact::paths(tx, &from, &to, count, longest, &kinds);
    Ok(responses::json(responses::large_read(&api, call, id, read).await?))
}
