//! The positions of the components in a view. Components that have a place in the view stay there; others are placed in
//! their group, or beside their neighbors.

use std::collections::HashMap;

use serde::Serialize;

use super::{
    contents::{Candidate, Contents},
    resolve::Members,
};
use crate::{
    describe::ToSchema,
    domain::{
        catalogue::{self, CONTAINS},
        map::placement::{self, Item, Map, Point, card_size},
        values::Coordinate,
    },
};

/// If more members have no place yet, they are placed without regard to relationships, because an arrangement in layers
/// takes longer than a reader should wait.
const MAX_NEW_IN_LAYERS: usize = 300;

/// The position of a component in a view.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberPosition {
    /// Component id.
    #[schema(example = "checkout")]
    pub component_id: String,
    /// Horizontal canvas position, increasing to the right.
    pub x: f64,
    /// Vertical canvas position, increasing downward.
    pub y: f64,
    /// Whether the component has no stored position in the view yet. It keeps this position only after someone writes it.
    pub new: bool,
}

/// The positions of all members of a view with its own layout, by the positions that are stored. Before anything is stored,
/// these are the positions on the map.
pub(super) fn own(contents: &Contents, members: &Members, places: &HashMap<String, Point>) -> Vec<MemberPosition> {
    if !members.indexes().any(|at| places.contains_key(&contents.components[at].id)) {
        return shared(contents, members);
    }
    let place_of = |component: &Candidate| places.get(&component.id).copied();
    let new = members.indexes().filter(|&at| !places.contains_key(&contents.components[at].id)).count();
    let positions = positions(contents, members, place_of, new <= MAX_NEW_IN_LAYERS);
    let position = |component: &Candidate, (x, y): Point| MemberPosition {
        component_id: component.id.clone(),
        x,
        y,
        new: !places.contains_key(&component.id),
    };
    members.indexes().map(|at| &contents.components[at]).zip(positions).map(|(one, at)| position(one, at)).collect()
}

/// The positions on the map.
pub(super) fn shared(contents: &Contents, members: &Members) -> Vec<MemberPosition> {
    let position = |component: &Candidate| MemberPosition {
        component_id: component.id.clone(),
        x: component.at.0,
        y: component.at.1,
        new: false,
    };
    members.indexes().map(|at| position(&contents.components[at])).collect()
}

/// Arranges the members of a view as if nothing had a position.
pub(in crate::domain) fn arranged(contents: &Contents, members: &Members) -> Vec<(String, Point)> {
    let ids = members.indexes().map(|at| contents.components[at].id.clone());
    ids.zip(positions(contents, members, |_| None, true)).collect()
}

/// The positions of the members: those that `place_of` returns, and places for the others, by their relationships or not.
fn positions(
    contents: &Contents,
    members: &Members,
    place_of: impl Fn(&Candidate) -> Option<Point>,
    by_relationships: bool,
) -> Vec<Point> {
    let item = |component: &Candidate| Item {
        id: component.id.clone(),
        at: place_of(component),
        own: component.size,
        is_group: component.type_id == catalogue::GROUP,
        card: card_size(&component.name, component.description.as_deref()),
    };
    let items: Vec<Item> = members.indexes().map(|at| item(&contents.components[at])).collect();
    // Groups that are not in the view are skipped.
    let group_of = |at: usize| contents.ancestors(at).find(|group| members.components[*group]);
    let id = |at: usize| contents.components[at].id.as_str();
    let contains = members.indexes().filter_map(|at| group_of(at).map(|group| (id(group), id(at))));
    let mut map = Map::new(items, contains);
    if by_relationships {
        let lines = members.relationships.iter().map(|&index| &contents.relationships[index]);
        let lines = lines.filter(|relation| relation.type_id != CONTAINS);
        map.connect(lines.map(|relation| (relation.source_id.as_str(), relation.target_id.as_str(), 0.0)));
    }
    placement::place(&mut map, None);
    let found = |component: &Candidate| map.position(&component.id).unwrap_or(component.at);
    let on_canvas = |(x, y): Point| (Coordinate::nearest(x).get(), Coordinate::nearest(y).get());
    members.indexes().map(|at| on_canvas(found(&contents.components[at]))).collect()
}
