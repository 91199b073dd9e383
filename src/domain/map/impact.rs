//! Dependencies: the components that a change may affect, and the paths between components.

mod affected;
pub(in crate::domain::map) mod graph;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

pub use self::affected::{AffectedOwner, AffectedProcess};
use self::graph::{Edge, Graph, Traversal};
use super::{components::Component, relationships::Relationship};
use crate::{
    describe::ToSchema,
    domain::{
        catalogue::{self, CONTAINS, DependsOn},
        core::ViewTx,
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
    /// Components that depend on this component: what may break when it changes.
    #[default]
    Dependents,
    /// Components that this component depends on.
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
    pub reached: Vec<ReachedComponent>,
    /// Ids of the components that contain the requested or a reached component, directly or indirectly, and were not
    /// reached themselves.
    pub groups: Vec<String>,
    /// Processes with the requested or a reached component as a participant.
    pub processes: Vec<AffectedProcess>,
    /// Owners of the reached components, those of most first.
    pub owners: Vec<AffectedOwner>,
    /// Number of relationships that could lead further but whose type was not followed, by type. `contains` is not
    /// counted: see `groups`.
    pub not_followed: BTreeMap<String, usize>,
}

/// A component that was reached.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReachedComponent {
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
    /// Type id of that relationship.
    #[schema(example = "calls")]
    pub relation_type_id: String,
    /// Label of that relationship; null if it has none.
    #[schema(required)]
    pub label: Option<String>,
}

/// Paths from a component to one that it depends on.
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
pub struct DependencyPath {
    /// Component ids, from first to last.
    pub component_ids: Vec<String>,
    /// Ids of the relationships between consecutive components; one fewer than `componentIds`.
    pub relationship_ids: Vec<String>,
    /// Type ids of these relationships.
    pub relation_type_ids: Vec<String>,
}

/// A filter for relationship types: the listed types, or all that express a dependency.
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
        match &self.0 {
            Some(names) => names.contains(&relationship.type_id),
            None => is_followed(&relationship.type_id),
        }
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
    let relationships: HashMap<&str, &Relationship> =
        model.relationships.iter().map(|relationship| (relationship.id.as_str(), relationship)).collect();
    let to_response = |reached: &graph::ReachedNode<'_>| {
        let (component, relationship) = (components[reached.component], relationships[reached.relationship]);
        ReachedComponent {
            component_id: component.id.clone(),
            name: component.name.clone(),
            type_id: component.type_id.clone(),
            distance: reached.distance,
            from: reached.from.to_owned(),
            relationship_id: relationship.id.clone(),
            relation_type_id: relationship.type_id.clone(),
            label: relationship.label.clone().filter(|label| !label.is_empty()),
        }
    };
    let reached: Vec<ReachedComponent> =
        model.graph(types).reach([component_id], traversal, depth).iter().map(to_response).collect();
    let ids: HashSet<&str> = reached.iter().map(|one| one.component_id.as_str()).collect();
    let all: HashSet<&str> = ids.iter().copied().chain([component_id]).collect();
    Ok(Impact {
        component_id: component_id.to_owned(),
        direction,
        groups: affected::groups(&model.relationships, &all),
        processes: affected::processes(tx, &all)?,
        owners: affected::owners(tx, &ids)?,
        not_followed: model.not_followed(types, traversal, &all),
        reached,
    })
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
    let type_of: HashMap<&str, &str> =
        model.relationships.iter().map(|row| (row.id.as_str(), row.type_id.as_str())).collect();
    let owned = |ids: Vec<&str>| ids.into_iter().map(str::to_owned).collect();
    let to_response = |path: graph::GraphPath<'_>| DependencyPath {
        relation_type_ids: path.relationships.iter().map(|id| type_of[id].to_owned()).collect(),
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
        Ok(Self { components: tx.rows()?, relationships: tx.rows()? })
    }

    fn check_component(&self, component_id: &str) -> Result<()> {
        let known = self.components.iter().any(|component| component.id == component_id);
        if known { Ok(()) } else { Err(Error::NotFound("component")) }
    }

    fn graph(&self, types: &TypeFilter) -> Graph<'_> {
        let edges = self.relationships.iter().filter(|relationship| types.matches(relationship)).map(edge);
        Graph::new(self.components.iter().map(|component| component.id.as_str()), edges)
    }

    /// The number of relationships by type that could lead further from the components `reached`, but are not followed.
    fn not_followed(
        &self,
        types: &TypeFilter,
        traversal: Traversal,
        reached: &HashSet<&str>,
    ) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for relationship in self.relationships.iter().filter(|relationship| !types.matches(relationship)) {
            let edge = edge(relationship);
            let (from, to) = match traversal {
                Traversal::Downstream => (edge.source, edge.target),
                Traversal::Upstream => (edge.target, edge.source),
            };
            // Which way a relationship without a dependency would be followed is open.
            let has_dependency = catalogue::known_relation_type(&relationship.type_id).depends_on != DependsOn::None;
            let is_start = reached.contains(from) || (!has_dependency && reached.contains(to));
            let leads_out = !(reached.contains(from) && reached.contains(to));
            if is_start && leads_out && relationship.type_id != CONTAINS {
                *counts.entry(relationship.type_id.clone()).or_default() += 1;
            }
        }
        counts
    }
}

/// Whether relationships of this type express a dependency.
pub(in crate::domain::map) fn is_followed(type_id: &str) -> bool {
    catalogue::known_relation_type(type_id).depends_on != DependsOn::None
}

/// A relationship as an edge from what depends to what it depends on. A relationship without a dependency, which is followed
/// only if its type is requested, keeps its direction.
fn edge(relationship: &Relationship) -> Edge<'_> {
    let Relationship { id, source_id, target_id, type_id, .. } = relationship;
    oriented(id, source_id, target_id, type_id)
}

/// A relationship of this type as an edge.
pub(in crate::domain::map) fn oriented<'r>(id: &'r str, source: &'r str, target: &'r str, type_id: &str) -> Edge<'r> {
    let known = catalogue::known_relation_type(type_id);
    let (source, target) = if known.depends_on == DependsOn::Source { (target, source) } else { (source, target) };
    Edge { id, source, target, directed: known.directed }
}

fn limit(field: &'static str, value: Option<u32>, default: u32, max: u32) -> Result<u32> {
    match value {
        None => Ok(default),
        Some(value @ 1..) if value <= max => Ok(value),
        Some(_) => Err(Error::invalid(field, Problem::range(1, max))),
    }
}
