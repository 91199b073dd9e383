//! Dependencies: the components that a change may affect, and the paths between components.

mod graph;

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::graph::{Edge, Graph, Traversal};
use super::{components::Component, relationships::Relationship, store};
use crate::{
    domain::{
        catalogue::{self, CATALOGUE},
        core::{Reads, ViewTx},
    },
    error::{Error, Problem, Result},
};

/// Maximum length of a path, in relationships.
pub const MAX_PATH_LENGTH: u32 = 100;
/// Maximum number of paths per response.
pub const MAX_PATHS: u32 = 50;
/// Default number of paths per response.
const DEFAULT_PATHS: u32 = 5;
/// Default maximum length of a path, in relationships.
const DEFAULT_PATH_LENGTH: u32 = 12;

/// Direction in which to follow relationships from a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// Components that depend on this component, against the direction of relationships: what may break when it
    /// changes.
    #[default]
    Dependents,
    /// Components that this component depends on, in the direction of relationships.
    Dependencies,
}

/// Components that can be reached from a component in one direction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Impact {
    /// Id of the requested component.
    #[schema(example = "checkout")]
    pub component_id: String,
    /// Direction that was followed.
    pub direction: Direction,
    /// Reached components, nearest first.
    pub reached: Vec<Reached>,
}

/// A component that was reached.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reached {
    /// Component id.
    #[schema(example = "web")]
    pub component_id: String,
    /// Display name.
    pub name: String,
    /// Component type id.
    pub type_id: String,
    /// Length of a shortest path to the component, in relationships.
    pub distance: u32,
    /// Id of the previous component on that path.
    pub from: String,
    /// Id of the relationship between the previous component and this component.
    pub relationship_id: String,
}

/// Paths from one component to another, in the direction of relationships.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Paths {
    /// Paths without repeated components, shortest first.
    pub paths: Vec<DependencyPath>,
    /// Whether the list contains all paths up to the requested length.
    pub complete: bool,
}

/// A path between two components.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Path)]
pub struct DependencyPath {
    /// Component ids, from first to last.
    pub component_ids: Vec<String>,
    /// Ids of the relationships between consecutive components; one fewer than `componentIds`.
    pub relationship_ids: Vec<String>,
}

/// A filter for relationship types: the listed types, or all types.
#[derive(Debug, Clone, Default)]
pub struct TypeFilter(Option<HashSet<String>>);

impl TypeFilter {
    /// Parses a comma-separated list. Fails with the name of a type that does not exist.
    pub fn new(list: Option<&str>) -> Result<Self> {
        let Some(list) = list.filter(|list| !list.is_empty()) else { return Ok(Self(None)) };
        let names: HashSet<String> = list.split(',').map(|name| name.trim().to_owned()).collect();
        names.iter().try_for_each(|name| catalogue::relation_type("relationTypes", name))?;
        Ok(Self(Some(names)))
    }

    fn matches(&self, relationship: &Relationship) -> bool {
        self.0.as_ref().is_none_or(|names| names.contains(&relationship.type_id))
    }
}

/// Returns the components that can be reached from a component within `depth` relationships (default: no limit).
pub fn reach(
    tx: &ViewTx<'_>,
    component_id: &str,
    direction: Direction,
    depth: Option<u32>,
    types: &TypeFilter,
) -> Result<Impact> {
    let depth = limit("depth", depth, MAX_PATH_LENGTH, MAX_PATH_LENGTH)?;
    let model = Model::read(tx)?;
    model.check_component(component_id)?;
    let traversal = match direction {
        Direction::Dependents => Traversal::Upstream,
        Direction::Dependencies => Traversal::Downstream,
    };
    let components: HashMap<&str, &Component> =
        model.components.iter().map(|component| (component.id.as_str(), component)).collect();
    let to_response = |reached: &graph::ReachedNode<'_>| {
        let component = components[reached.component];
        Reached {
            component_id: component.id.clone(),
            name: component.name.clone(),
            type_id: component.type_id.clone(),
            distance: reached.distance,
            from: reached.from.to_owned(),
            relationship_id: reached.relationship.to_owned(),
        }
    };
    let reached = model.graph(types).reach(component_id, traversal, depth).iter().map(to_response).collect();
    Ok(Impact { component_id: component_id.to_owned(), direction, reached })
}

/// Returns the shortest paths between two components: at most `count` paths (default 5) of at most `longest`
/// relationships (default 12).
pub fn paths(
    tx: &ViewTx<'_>,
    from: &str,
    to: &str,
    count: Option<u32>,
    longest: Option<u32>,
    types: &TypeFilter,
) -> Result<Paths> {
    let count = limit("count", count, DEFAULT_PATHS, MAX_PATHS)?;
    let longest = limit("longest", longest, DEFAULT_PATH_LENGTH, MAX_PATH_LENGTH)?;
    let model = Model::read(tx)?;
    model.check_component(from)?;
    model.check_component(to)?;
    let (found, complete) = model.graph(types).paths(from, to, count as usize, longest as usize);
    let owned = |ids: Vec<&str>| ids.into_iter().map(str::to_owned).collect();
    let to_response = |path: graph::GraphPath<'_>| DependencyPath {
        component_ids: owned(path.components),
        relationship_ids: owned(path.relationships),
    };
    Ok(Paths { paths: found.into_iter().map(to_response).collect(), complete })
}

/// The part of a workspace that the search uses.
struct Model {
    components: Vec<Component>,
    relationships: Vec<Relationship>,
}

impl Model {
    fn read(tx: &ViewTx<'_>) -> Result<Self> {
        let (conn, key) = (tx.core().conn, tx.key());
        Ok(Self {
            components: store::components::list(conn, &key)?,
            relationships: store::relationships::list(conn, &key)?,
        })
    }

    fn check_component(&self, component_id: &str) -> Result<()> {
        let known = self.components.iter().any(|component| component.id == component_id);
        if known { Ok(()) } else { Err(Error::NotFound("component")) }
    }

    fn graph(&self, types: &TypeFilter) -> Graph<'_> {
        let undirected: HashSet<&str> =
            CATALOGUE.relation_types.iter().filter(|known| !known.directed).map(|known| known.id).collect();
        let edges =
            self.relationships.iter().filter(|relationship| types.matches(relationship)).map(|relationship| Edge {
                id: &relationship.id,
                source: &relationship.source_id,
                target: &relationship.target_id,
                directed: !undirected.contains(relationship.type_id.as_str()),
            });
        Graph::new(self.components.iter().map(|component| component.id.as_str()), edges)
    }
}

fn limit(field: &'static str, value: Option<u32>, default: u32, max: u32) -> Result<u32> {
    match value {
        None => Ok(default),
        Some(value @ 1..) if value <= max => Ok(value),
        Some(_) => Err(Error::invalid(field, Problem::range(1, max))),
    }
}
