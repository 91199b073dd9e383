//! What depends on what.

use axum::{extract::State, response::Response};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    answers,
    api::Api,
    error::Result,
    extract::{Asked, Path, Query},
    route::IN_TABLE,
};
use crate::domain::{
    access::ViewTx,
    catalogue,
    impact::{self, Direction, Impact, Kinds, Paths},
};

/// What to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Question {
    /// The component to begin with.
    #[param(min_length = 1, max_length = 128, example = "checkout")]
    component_id: String,
    /// What depends on it (`dependents`, as when absent), or what it depends on (`dependencies`).
    #[serde(default)]
    #[param(inline, required = false)]
    direction: Direction,
    /// How many relationships away at the most; as far as it goes when absent.
    #[param(minimum = 1, maximum = 100)]
    depth: Option<u32>,
    /// Types of relationship that count, separated by commas; all when absent.
    #[param(schema_with = catalogue::relation_type_list, required = false, example = "calls,uses")]
    relation_types: Option<String>,
}

/// Ask what depends on a component
///
/// All components that it may reach, or be reached by, the nearest first, each with the relationship by which a shortest way
/// comes to it. A relationship points from what depends to what it depends on; undirected ones count both ways.
#[utoipa::path(get, path = IN_TABLE, tag = "Impact", operation_id = "readImpact", params(Question),
    responses((status = 200, description = "What was reached", body = Impact)))]
pub async fn read(
    State(api): State<Api>,
    Asked(call): Asked,
    Path(id): Path<String>,
    Query(Question { component_id, direction, depth, relation_types }): Query<Question>,
) -> Result<Response> {
    let kinds = Kinds::new(relation_types.as_deref())?;
    let look = move |tx: &ViewTx<'_>| impact::reach(tx, &component_id, direction, depth, &kinds);
    Ok(answers::json(answers::large_view(&api, call, id, look).await?))
}

/// Between what to look.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Ends {
    /// The component to begin with.
    #[param(min_length = 1, max_length = 128, example = "web")]
    from: String,
    /// The component to arrive at.
    #[param(min_length = 1, max_length = 128, example = "orders-db")]
    to: String,
    /// How many ways at the most; 5 when absent.
    #[param(minimum = 1, maximum = 50)]
    count: Option<u32>,
    /// How many relationships one may have; 12 when absent.
    #[param(minimum = 1, maximum = 100)]
    longest: Option<u32>,
    /// Types of relationship that count, separated by commas; all when absent.
    #[param(schema_with = catalogue::relation_type_list, required = false, example = "calls,uses")]
    relation_types: Option<String>,
}

/// Find ways between two components
///
/// Along the relationships, the shortest first, none through a component twice.
#[utoipa::path(get, path = IN_TABLE, tag = "Impact", operation_id = "findPaths", params(Ends),
    responses((status = 200, description = "The ways", body = Paths)))]
pub async fn paths(
    State(api): State<Api>,
    Asked(call): Asked,
    Path(id): Path<String>,
    Query(Ends { from, to, count, longest, relation_types }): Query<Ends>,
) -> Result<Response> {
    let kinds = Kinds::new(relation_types.as_deref())?;
    let look = move |tx: &ViewTx<'_>| impact::paths(tx, &from, &to, count, longest, &kinds);
    Ok(answers::json(answers::large_view(&api, call, id, look).await?))
}
