//! The tool for dependency analysis.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tool::arguments;
use crate::{
    domain::{
        core::{Call, Gate, access::Viewer},
        map::impact::{self, DependencyPath, Direction, Impact, MAX_PATH_LENGTH, MAX_PATHS, Reached, TypeFilter},
    },
    error::Result,
    mcp::results::{SpaceLeft, page},
};

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_PATH_LENGTH == 100 && MAX_PATHS == 50);

/// Where to begin, and which way to look.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct TraceDependencies {
    /// Id of the workspace.
    workspace_id: String,
    /// The component to start from.
    component_id: String,
    /// dependents (what can break if it changes) or dependencies (what it needs). Default: dependents.
    #[schema(inline, nullable = false)]
    direction: Option<Direction>,
    /// Maximum number of relationships away, 1 to 100. Default: 100.
    #[schema(minimum = 1, nullable = false, maximum = 100)]
    depth: Option<u32>,
    /// Types of relationships to follow. Default: all.
    #[schema(nullable = false)]
    relation_types: Option<Vec<String>>,
    /// `nextCursor` of the previous call, for the next page.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// Between what to look.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct FindPaths {
    /// Id of the workspace.
    workspace_id: String,
    /// The component to start from.
    from: String,
    /// The target component.
    to: String,
    /// Maximum number of paths, 1 to 50. Default: 5.
    #[schema(minimum = 1, nullable = false, maximum = 50)]
    count: Option<u32>,
    /// Maximum number of relationships of a path, 1 to 100. Default: 12.
    #[schema(minimum = 1, nullable = false, maximum = 100)]
    longest: Option<u32>,
    /// Types of relationships to follow. Default: all.
    #[schema(nullable = false)]
    relation_types: Option<Vec<String>>,
}

arguments!(
    TraceDependencies: "What a change of a component can affect, or what it depends on, over any number of \
            relationships: nearest first, each with its path. Use it for \"what breaks if …\", \"who uses …\", \"what \
            does … need\"; for paths between two components use find_paths, for direct neighbors get_components. A \
            relationship points from the dependent to its dependency; related-to counts both ways. Example: \
            {\"workspaceId\": \"web-shop\", \"componentId\": \"orders-db\", \"depth\": 3}",
    FindPaths: "The shortest paths from one component to another along relationships, without loops. Empty if there \
            is none in this direction; try again with `from` and `to` swapped. `complete` says whether these are all \
            paths of that length. Example: {\"workspaceId\": \"web-shop\", \"from\": \"web\", \"to\": \"orders-db\"}",
);

/// A component that was reached.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Traced {
    component_id: String,
    name: String,
    type_id: String,
    /// Distance in relationships.
    distance: u32,
    /// Components of a shortest path, from the start to this one.
    path: Vec<String>,
    /// The last relationship of the path.
    relationship_id: String,
}

/// What was reached.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    component_id: String,
    #[schema(inline)]
    direction: Direction,
    /// Number of components on all pages.
    total: usize,
    reached: Vec<Traced>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// The paths that were found.
#[derive(Debug, Serialize, ToSchema)]
pub struct Found {
    paths: Vec<DependencyPath>,
    /// Whether these are all paths of the requested length.
    complete: bool,
    /// Whether some paths were omitted: use a smaller `count`.
    truncated: bool,
}

/// What depends on a component, or what it depends on.
pub async fn trace_dependencies(gate: Gate, call: Call<Viewer>, ask: TraceDependencies) -> Result<Trace> {
    let kinds = kinds(ask.relation_types)?;
    gate.read(call.large(), ask.workspace_id, move |tx| {
        let direction = ask.direction.unwrap_or_default();
        let Impact { component_id, direction, reached } =
            impact::reach(tx, &ask.component_id, direction, ask.depth, &kinds)?;
        let total = reached.len();
        let before: HashMap<&str, &str> =
            reached.iter().map(|one| (one.component_id.as_str(), one.from.as_str())).collect();
        let traced = |one: &Reached| {
            let mut path = vec![one.component_id.clone()];
            let mut at = one.component_id.as_str();
            while let Some(from) = before.get(at).filter(|_| path.len() <= one.distance as usize) {
                path.push((*from).to_owned());
                at = from;
            }
            path.reverse();
            Traced {
                component_id: one.component_id.clone(),
                name: one.name.clone(),
                type_id: one.type_id.clone(),
                distance: one.distance,
                path,
                relationship_id: one.relationship_id.clone(),
            }
        };
        let all = reached.iter().map(traced);
        let (items, next_cursor) = page(all, ask.cursor.as_deref(), &mut SpaceLeft::after(&component_id))?;
        Ok(Trace { component_id, direction, total, reached: items, truncated: next_cursor.is_some(), next_cursor })
    })
    .await
}

/// The ways between two components.
pub async fn find_paths(gate: Gate, call: Call<Viewer>, ask: FindPaths) -> Result<Found> {
    let kinds = kinds(ask.relation_types)?;
    gate.read(call.large(), ask.workspace_id, move |tx| {
        let found = impact::paths(tx, &ask.from, &ask.to, ask.count, ask.longest, &kinds)?;
        let (paths, next) = page(found.paths, None, &mut SpaceLeft::after(&()))?;
        Ok(Found { paths, complete: found.complete && next.is_none(), truncated: next.is_some() })
    })
    .await
}

fn kinds(types: Option<Vec<String>>) -> Result<TypeFilter> {
    TypeFilter::new(types.map(|types| types.join(",")).as_deref())
}
