//! Dependencies: the components that a change may affect, and the paths between components.

mod graph;

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::graph::{Arrow, Graph, Way};
use super::{
    access::{Reads, ViewTx},
    catalogue::{self, CATALOGUE},
    components::Component,
    relationships::Relationship,
    store,
};
use crate::error::{Error, Result};

/// Maximum length of a path, in relationships.
pub const DEEPEST: u32 = 100;
/// Maximum number of paths per response.
pub const MOST_PATHS: u32 = 50;
/// Default number of paths per response.
const PATHS: u32 = 5;
/// Default maximum length of a path, in relationships.
const LONGEST_PATH: u32 = 12;

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
    pub paths: Vec<Path>,
    /// Whether the list contains all paths up to the requested length.
    pub complete: bool,
}

/// A path between two components.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Path {
    /// Component ids, from first to last.
    pub component_ids: Vec<String>,
    /// Ids of the relationships between consecutive components; one fewer than `componentIds`.
    pub relationship_ids: Vec<String>,
}

/// A filter for relationship types: the listed types, or all types.
#[derive(Debug, Clone, Default)]
pub struct Kinds(Option<HashSet<String>>);

impl Kinds {
    /// Parses a comma-separated list. Fails with the name of a type that does not exist.
    pub fn new(list: Option<&str>) -> Result<Self> {
        let Some(list) = list.filter(|list| !list.is_empty()) else { return Ok(Self(None)) };
        let names: HashSet<String> = list.split(',').map(|name| name.trim().to_owned()).collect();
        names.iter().try_for_each(|name| catalogue::relation_type("relationTypes", name))?;
        Ok(Self(Some(names)))
    }

    fn has(&self, relationship: &Relationship) -> bool {
        self.0.as_ref().is_none_or(|names| names.contains(&relationship.type_id))
    }
}

/// Returns the components that can be reached from a component within `depth` relationships (default: no limit).
pub fn reach(
    tx: &ViewTx<'_>,
    component_id: &str,
    direction: Direction,
    depth: Option<u32>,
    kinds: &Kinds,
) -> Result<Impact> {
    let depth = within("depth", depth, DEEPEST, DEEPEST)?;
    let map = Map::read(tx)?;
    map.has(component_id)?;
    let way = match direction {
        Direction::Dependents => Way::Against,
        Direction::Dependencies => Way::Along,
    };
    let cards: HashMap<&str, &Component> = map.components.iter().map(|one| (one.id.as_str(), one)).collect();
    let shown = |one: &graph::Reached<'_>| {
        let card = cards[one.component];
        Reached {
            component_id: card.id.clone(),
            name: card.name.clone(),
            type_id: card.type_id.clone(),
            distance: one.distance,
            from: one.from.to_owned(),
            relationship_id: one.relationship.to_owned(),
        }
    };
    let reached = map.graph(kinds).reach(component_id, way, depth).iter().map(shown).collect();
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
    kinds: &Kinds,
) -> Result<Paths> {
    let count = within("count", count, PATHS, MOST_PATHS)?;
    let longest = within("longest", longest, LONGEST_PATH, DEEPEST)?;
    let map = Map::read(tx)?;
    map.has(from)?;
    map.has(to)?;
    let (found, complete) = map.graph(kinds).paths(from, to, count as usize, longest as usize);
    let owned = |ids: Vec<&str>| ids.into_iter().map(str::to_owned).collect();
    let shown = |path: graph::Path<'_>| Path {
        component_ids: owned(path.components),
        relationship_ids: owned(path.relationships),
    };
    Ok(Paths { paths: found.into_iter().map(shown).collect(), complete })
}

/// The part of a workspace that the search uses.
struct Map {
    components: Vec<Component>,
    relationships: Vec<Relationship>,
}

impl Map {
    fn read(tx: &ViewTx<'_>) -> Result<Self> {
        let (conn, key) = (tx.core().conn, tx.key());
        Ok(Self {
            components: store::components::list(conn, &key)?,
            relationships: store::relationships::list(conn, &key)?,
        })
    }

    fn has(&self, component_id: &str) -> Result<()> {
        let known = self.components.iter().any(|one| one.id == component_id);
        if known { Ok(()) } else { Err(Error::NotFound("component")) }
    }

    fn graph(&self, kinds: &Kinds) -> Graph<'_> {
        let undirected: HashSet<&str> =
            CATALOGUE.relation_types.iter().filter(|known| !known.directed).map(|known| known.id).collect();
        let arrows = self.relationships.iter().filter(|one| kinds.has(one)).map(|one| Arrow {
            id: &one.id,
            source: &one.source_id,
            target: &one.target_id,
            directed: !undirected.contains(one.type_id.as_str()),
        });
        Graph::new(self.components.iter().map(|one| one.id.as_str()), arrows)
    }
}

fn within(field: &'static str, value: Option<u32>, default: u32, most: u32) -> Result<u32> {
    match value {
        None => Ok(default),
        Some(value @ 1..) if value <= most => Ok(value),
        Some(_) => Err(Error::invalid(field, format!("must be 1 to {most}"))),
    }
}
