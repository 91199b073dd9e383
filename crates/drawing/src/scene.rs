//! The contents of an image: cards, groups and lines with their rectangles.

use std::collections::HashMap;

use super::{
    card::Content,
    geometry::{Point, Rect},
    map::{Component, Map, Relationship},
    nodes::{Node, node_rects},
    shapes, sizes,
    work::Cancellation,
};

/// The type that is drawn as a group even if it contains nothing.
const GROUP: &str = "group";
/// The lifecycle state without a mark, because most components have it.
const UNMARKED_STATE: &str = "live";
/// Maximum number of characters of a description that are read.
pub const MAX_DESCRIPTION_CHARS: usize = 160;

/// A relationship as it is drawn.
#[derive(Debug)]
pub(super) struct Line<'m> {
    pub relationship: &'m Relationship,
    /// Index of the source in `nodes`.
    pub from: usize,
    /// Index of the target in `nodes`.
    pub to: usize,
    /// The index among the lines between the same nodes, from 0.
    pub lane: usize,
    pub lanes: usize,
}

impl Line<'_> {
    /// The points that it passes through.
    pub(super) fn via(&self) -> impl Iterator<Item = Point> {
        self.relationship.via.iter().map(|&(x, y)| Point { x, y }.near())
    }
}

/// A map with its rectangles.
#[derive(Debug)]
pub(super) struct Scene<'m> {
    pub map: &'m Map,
    /// Groups before their contents.
    pub nodes: Vec<Node<'m>>,
    /// Parallel to `nodes`.
    pub rects: Vec<Rect>,
    pub lines: Vec<Line<'m>>,
}

impl<'m> Scene<'m> {
    pub(super) fn of(map: &'m Map, cancellation: &Cancellation) -> Self {
        let (nodes, index) = nodes(map);
        let lines = lines(map, &index);
        let sizes = sizes::card_sizes(&nodes, cancellation);
        let rects = node_rects(&nodes, &sizes);
        Self { map, nodes, rects, lines }
    }

    /// Whether a key is drawn faintly because others are highlighted.
    pub(super) fn is_dimmed(&self, key: &str) -> bool {
        !self.map.highlighted.is_empty() && !self.map.highlighted.contains(key)
    }

    /// The attribute of the element of a row that is drawn faintly.
    pub(super) fn class_of(&self, key: &str) -> &'static str {
        if self.is_dimmed(key) { r#" class="o""# } else { "" }
    }
}

/// The rectangles of all components by their key: x, y, width and height. Groups surround their contents.
pub fn rects(map: &Map) -> Vec<(String, [f64; 4])> {
    let scene = Scene::of(map, &Cancellation::never());
    let rects = scene.nodes.iter().zip(&scene.rects);
    rects.map(|(node, rect)| (node.component.key.clone(), [rect.x, rect.y, rect.width, rect.height])).collect()
}

fn nodes(map: &Map) -> (Vec<Node<'_>>, HashMap<&str, usize>) {
    let mut at: HashMap<&str, usize> = HashMap::with_capacity(map.components.len());
    for (place, component) in map.components.iter().enumerate() {
        at.entry(component.key.as_str()).or_insert(place);
    }
    let parents = parents(map, &at);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); map.components.len()];
    for (place, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(place);
        }
    }
    let mut nodes = Vec::with_capacity(map.components.len());
    let mut index = HashMap::with_capacity(map.components.len());
    let roots = (0..map.components.len()).rev().filter(|place| parents[*place].is_none());
    let mut open: Vec<(usize, Option<usize>)> = roots.map(|place| (place, None)).collect();
    while let Some((place, parent)) = open.pop() {
        let component = &map.components[place];
        let is_group = !children[place].is_empty() || component.type_id == GROUP;
        index.entry(component.key.as_str()).or_insert(nodes.len());
        open.extend(children[place].iter().rev().map(|child| (*child, Some(nodes.len()))));
        nodes.push(Node { component, card: (!is_group).then(|| content(component)), parent });
    }
    (nodes, index)
}

/// The index of each component's parent. Circles are left open.
fn parents(map: &Map, at: &HashMap<&str, usize>) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; map.components.len()];
    for (place, component) in map.components.iter().enumerate() {
        let Some(&parent) = component.parent.as_deref().and_then(|key| at.get(key)) else { continue };
        // The parents have no cycle so far.
        let is_circle = std::iter::successors(Some(parent), |above| parents[*above]).any(|above| above == place);
        if !is_circle {
            parents[place] = Some(parent);
        }
    }
    parents
}

fn content(component: &Component) -> Content<'_> {
    let texts = std::iter::once(&component.type_name).chain(component.technology.first());
    Content {
        shape: shapes::shape_of(&component.type_id),
        name: &component.name,
        note: texts.map(String::as_str).collect::<Vec<_>>().join(" · "),
        description: first_paragraph(&component.description),
        has_owner: component.has_owner,
        has_lifecycle: component.lifecycle.as_deref().is_some_and(|state| !state.is_empty() && state != UNMARKED_STATE),
    }
}

/// The start of a description. Cards show two lines.
fn first_paragraph(text: &str) -> String {
    let start: String = text.chars().take(MAX_DESCRIPTION_CHARS).collect();
    let lines = start.trim().lines().take_while(|line| !line.trim().is_empty());
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

fn lines<'m>(map: &'m Map, index: &HashMap<&str, usize>) -> Vec<Line<'m>> {
    let ends = |one: &Relationship| Some((*index.get(one.from.as_str())?, *index.get(one.to.as_str())?));
    let mut lines: Vec<Line<'m>> = map
        .relationships
        .iter()
        .filter_map(|one| ends(one).map(|(from, to)| Line { relationship: one, from, to, lane: 0, lanes: 1 }))
        .collect();
    let mut beside: HashMap<(usize, usize), usize> = HashMap::new();
    for line in &mut lines {
        let count = beside.entry((line.from.min(line.to), line.from.max(line.to))).or_default();
        line.lane = *count;
        *count += 1;
    }
    for line in &mut lines {
        line.lanes = beside[&(line.from.min(line.to), line.from.max(line.to))];
    }
    lines
}
