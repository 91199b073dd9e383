//! What depends on what: the components that a change of one may reach, and the ways from one to another.

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

/// The longest way that is looked for, in relationships.
pub const DEEPEST: u32 = 100;
/// Ways that are told at the most.
pub const MOST_PATHS: u32 = 50;
/// Ways that are told when nobody says how many.
const PATHS: u32 = 5;
/// How long a way may be when nobody says.
const LONGEST_PATH: u32 = 12;

/// Which way to look from a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// What depends on it: against the arrows. What may break when it changes.
    #[default]
    Dependents,
    /// What it depends on: along the arrows.
    Dependencies,
}

/// What a component may reach, or be reached by.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Impact {
    /// The component that was asked about.
    #[schema(example = "checkout")]
    pub component_id: String,
    /// Which way was looked.
    pub direction: Direction,
    /// All that was reached, the nearest first.
    pub reached: Vec<Reached>,
}

/// A component that was reached.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reached {
    /// Its id.
    #[schema(example = "web")]
    pub component_id: String,
    /// Its name.
    pub name: String,
    /// Its type.
    pub type_id: String,
    /// How many relationships away it is, on a shortest way.
    pub distance: u32,
    /// The component before it on that way.
    pub from: String,
    /// The relationship between the two.
    pub relationship_id: String,
}

/// Ways from one component to another, along the arrows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Paths {
    /// The shortest first; none passes a component twice.
    pub paths: Vec<Path>,
    /// Whether these are all ways of the length that was asked for.
    pub complete: bool,
}

/// One way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Path {
    /// Components, from the first to the last.
    pub component_ids: Vec<String>,
    /// The relationships between them, one less.
    pub relationship_ids: Vec<String>,
}

/// Which relationships count: those of the types named, or all.
#[derive(Debug, Clone, Default)]
pub struct Kinds(Option<HashSet<String>>);

impl Kinds {
    /// From a list separated by commas. Errors name a type that does not exist.
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

/// What can be reached from a component within `depth` relationships (as far as it goes when absent).
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

/// The shortest ways between two components: at most `count` (5) of at most `longest` relationships (12).
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

/// The part of a workspace that is searched.
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
