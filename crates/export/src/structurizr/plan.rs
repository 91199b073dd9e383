//! What the components of a map become in the three levels of Structurizr.
//!
//! At the top are people and software systems, in these containers, and in these components. What only groups others
//! becomes a group, and so does what is nested deeper. Hosts that only things are deployed on become deployment nodes.

use std::collections::{HashMap, HashSet};

use crate::{
    map::{Component, Map, Owner},
    text::{identifier, one_line},
    tree::{Edge, Tree, Visit},
    types,
};

/// Maximum number of nested groups. Deeper ones are left out.
const MAX_GROUPS: usize = 16;
/// Maximum number of nested deployment nodes. The contents of deeper ones are beside them.
const MAX_NODES: usize = 16;
/// Words of the language, which are no identifiers.
const RESERVED: [&str; 24] = [
    "this",
    "workspace",
    "model",
    "views",
    "person",
    "softwaresystem",
    "container",
    "component",
    "element",
    "group",
    "deploymentenvironment",
    "deploymentgroup",
    "deploymentnode",
    "infrastructurenode",
    "softwaresysteminstance",
    "containerinstance",
    "instanceof",
    "tags",
    "url",
    "properties",
    "description",
    "technology",
    "name",
    "perspectives",
];

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Person,
    System,
    Container,
    Component,
    Node,
}

/// An element.
pub(super) struct Element {
    /// The component.
    pub(super) at: usize,
    pub(super) kind: Kind,
    /// The element that it is declared in.
    pub(super) parent: Option<usize>,
    /// Names of the groups around it, inside its parent.
    pub(super) groups: Vec<String>,
    /// Name, unique where the tool requires it.
    pub(super) name: String,
    pub(super) identifier: String,
}

/// A statement of the model, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// A group around what follows, named like a component.
    Group(usize),
    /// An element around what follows.
    Element(usize),
    Close,
}

/// A relationship between two elements.
pub(super) struct Relation<'m> {
    pub(super) edge: &'m Edge<'m>,
    pub(super) from: usize,
    pub(super) to: usize,
    /// Not empty, and unique for both ends.
    pub(super) description: String,
}

/// See the module documentation.
pub(super) struct Plan<'m> {
    pub(super) map: &'m Map,
    pub(super) elements: Vec<Element>,
    /// Statements of the static model.
    pub(super) items: Vec<Item>,
    /// Statements of the deployment environment.
    pub(super) node_items: Vec<Item>,
    /// The element of each component. Groups have none.
    pub(super) of: Vec<Option<usize>>,
    pub(super) relations: Vec<Relation<'m>>,
    /// Elements and the nodes that they are deployed on, by node.
    pub(super) instances: Vec<(usize, usize)>,
    /// What could not be written, and why.
    pub(super) left_out: Vec<String>,
    /// The character between the names of nested groups.
    pub(super) separator: char,
}

impl<'m> Plan<'m> {
    pub(super) fn of(map: &'m Map, tree: &'m Tree<'m>) -> Self {
        let mut plan = Self {
            map,
            elements: Vec::new(),
            items: Vec::new(),
            node_items: Vec::new(),
            of: vec![None; map.components.len()],
            relations: Vec::new(),
            instances: Vec::new(),
            left_out: Vec::new(),
            separator: '/',
        };
        let is_linked: HashSet<usize> = tree.edges.iter().flat_map(|edge| [edge.from, edge.to]).collect();
        let is_node = plan.nodes(tree);
        plan.elements(tree, &is_linked, &is_node);
        plan.names();
        plan.relations(tree);
        let names: HashSet<char> =
            plan.elements.iter().flat_map(|one| one.groups.iter()).flat_map(|name| name.chars()).collect();
        plan.separator =
            ['/', '|', '~', '^', '\u{2044}'].into_iter().find(|c| !names.contains(c)).unwrap_or('\u{2044}');
        plan
    }

    pub(super) fn component(&self, element: usize) -> &'m Component {
        &self.map.components[self.elements[element].at]
    }

    /// The components that are deployment nodes: hosts and clusters, if all that they are connected with is deployed on them
    /// and can be deployed.
    fn nodes(&self, tree: &Tree<'_>) -> Vec<bool> {
        let count = self.map.components.len();
        let is_host = |at: usize| matches!(self.map.components[at].type_id.as_str(), "host" | "cluster");
        // Roots of trees that consist of hosts only, and of those that something is deployed on.
        let (mut fits, mut is_used) = (vec![true; count], vec![false; count]);
        let roots: Vec<usize> = roots(tree);
        for at in (0..count).filter(|at| !is_host(*at)) {
            fits[roots[at]] = false;
        }
        for edge in &tree.edges {
            // Only elements of the upper two levels have instances.
            let depth = tree.around(edge.from).take(3).count();
            let is_deployable = edge.row.type_id == "deployed-on"
                && depth <= 1
                && !is_host(edge.from)
                && self.map.components[edge.from].type_id != "person"
                && edge.from != edge.to;
            fits[roots[edge.from]] &= !is_host(edge.from);
            fits[roots[edge.to]] &= is_deployable;
            is_used[roots[edge.to]] |= is_deployable;
        }
        (0..count).map(|at| is_host(at) && fits[roots[at]] && is_used[roots[at]]).collect()
    }

    fn elements(&mut self, tree: &Tree<'_>, is_linked: &HashSet<usize>, is_node: &[bool]) {
        // The elements and groups around the current component, and how many statements its end closes.
        let mut parents: Vec<usize> = Vec::new();
        let mut groups: Vec<Vec<usize>> = vec![Vec::new()];
        let mut ends: Vec<End> = Vec::new();
        let mut dropped = 0;
        for visit in tree.walk() {
            let Visit::Begin(at, _) = visit else {
                match ends.pop() {
                    Some(End::Element(is_in_nodes)) => {
                        parents.pop();
                        groups.pop();
                        if is_in_nodes { &mut self.node_items } else { &mut self.items }.push(Item::Close);
                    }
                    Some(End::Group) => {
                        groups.last_mut().map(Vec::pop);
                        self.items.push(Item::Close);
                    }
                    Some(End::Nothing) | None => {}
                }
                continue;
            };
            let one = &self.map.components[at];
            let has_parts = !tree.children[at].is_empty();
            let kind = if is_node[at] {
                Kind::Node
            } else {
                match parents.last().map(|parent| self.elements[*parent].kind) {
                    None if one.type_id == "person" => Kind::Person,
                    None => Kind::System,
                    Some(Kind::System) => Kind::Container,
                    Some(_) => Kind::Component,
                }
            };
            let is_box = has_parts && types::is_box(&one.type_id) && !is_linked.contains(&at);
            let is_flat = matches!(kind, Kind::Person | Kind::Component);
            let around = groups.last().map_or(0, Vec::len);
            if has_parts && (is_box || is_flat) {
                if around < MAX_GROUPS {
                    groups.last_mut().expect("there is always one").push(at);
                    self.items.push(Item::Group(at));
                    ends.push(End::Group);
                } else {
                    dropped += 1;
                    ends.push(End::Nothing);
                }
                if is_box {
                    continue;
                }
            }
            let inside = groups.last().into_iter().flatten();
            let element = Element {
                at,
                kind,
                parent: parents.last().copied(),
                groups: inside.map(|group| one_line(&self.map.components[*group].name)).collect(),
                name: one_line(&one.name),
                identifier: String::new(),
            };
            let index = self.elements.len();
            self.elements.push(element);
            self.of[at] = Some(index);
            let items = if kind == Kind::Node { &mut self.node_items } else { &mut self.items };
            items.push(Item::Element(index));
            if has_parts && !is_flat && parents.len() < MAX_NODES {
                parents.push(index);
                groups.push(Vec::new());
                ends.push(End::Element(kind == Kind::Node));
            } else {
                items.push(Item::Close);
                if has_parts && !is_flat {
                    ends.push(End::Nothing);
                }
            }
        }
        if dropped > 0 {
            self.left_out.push(format!("{dropped} groups, because they are nested too deep"));
        }
    }

    /// Makes names unique among the elements of a kind in the same parent, and gives each element an identifier.
    fn names(&mut self) {
        let mut names: HashMap<(Option<usize>, Kind, String), usize> = HashMap::new();
        let mut taken: HashSet<String> = HashSet::new();
        let mut last: HashMap<String, usize> = HashMap::new();
        for one in &mut self.elements {
            if one.name.is_empty() {
                one.name = "Unnamed".into();
            }
            loop {
                let count = names.entry((one.parent, one.kind, one.name.clone())).or_default();
                *count += 1;
                if *count == 1 {
                    break;
                }
                one.name = format!("{} ({count})", one.name);
            }
            let own = identifier(&self.map.components[one.at].id).to_ascii_lowercase();
            let own = match own.as_bytes().first() {
                None => "e".into(),
                Some(first) if first.is_ascii_digit() || RESERVED.contains(&own.as_str()) => format!("e_{own}"),
                Some(_) => own,
            };
            let number = last.entry(own.clone()).or_default();
            one.identifier = loop {
                *number += 1;
                let numbered = if *number == 1 { own.clone() } else { format!("{own}_{number}") };
                if taken.insert(numbered.clone()) {
                    break numbered;
                }
            };
        }
    }

    fn relations(&mut self, tree: &'m Tree<'m>) {
        let mut known: HashSet<(usize, usize, String)> = HashSet::new();
        let mut instances: HashSet<(usize, usize)> = HashSet::new();
        let (mut nested, mut repeated) = (0, 0);
        for edge in &tree.edges {
            let (Some(from), Some(to)) = (self.of[edge.from], self.of[edge.to]) else { continue };
            if self.elements[to].kind == Kind::Node {
                if instances.insert((from, to)) {
                    self.instances.push((from, to));
                }
                continue;
            }
            if from != to && (self.is_in(from, to) || self.is_in(to, from)) {
                nested += 1;
                continue;
            }
            let label = one_line(&edge.row.label);
            let mut description = if label.is_empty() { one_line(&edge.row.type_name) } else { label };
            if !known.insert((from, to, description.clone())) {
                description = format!("{description} ({})", one_line(&edge.row.type_name));
                if !known.insert((from, to, description.clone())) {
                    repeated += 1;
                    continue;
                }
            }
            self.relations.push(Relation { edge, from, to, description });
        }
        // Structurizr adds a relationship between the elements around both ends, unless there is one, and then refuses the
        // same one. Those of the upper levels therefore come first.
        let level = |element: usize| match self.elements[element].kind {
            Kind::Person | Kind::System | Kind::Node => 1,
            Kind::Container => 2,
            Kind::Component => 3,
        };
        let mut relations = std::mem::take(&mut self.relations);
        relations.sort_by_key(|one| level(one.from) + level(one.to));
        self.relations = relations;
        self.instances.sort_by_key(|(_, node)| *node);
        if nested > 0 {
            self.left_out.push(format!("{nested} relationships between a component and a part of it"));
        }
        if repeated > 0 {
            self.left_out.push(format!("{repeated} relationships with the same ends, type and label as another one"));
        }
    }

    /// The elements that are deployed on a node.
    pub(super) fn deployed_on(&self, node: usize) -> impl Iterator<Item = usize> {
        let first = self.instances.partition_point(|(_, other)| *other < node);
        self.instances[first..].iter().take_while(move |(_, other)| *other == node).map(|(from, _)| *from)
    }

    /// Whether an element is declared inside another one.
    pub(super) fn is_in(&self, element: usize, other: usize) -> bool {
        let above = |at: &usize| self.elements[*at].parent;
        std::iter::successors(above(&element), above).any(|at| at == other)
    }

    /// The tags of an element: its type, unless it is that of its kind, and its own.
    pub(super) fn tags(&self, element: usize) -> Vec<String> {
        let one = self.component(element);
        let default = match self.elements[element].kind {
            Kind::Person => "person",
            Kind::System => "system",
            Kind::Container => "service",
            Kind::Component => "component",
            Kind::Node => "host",
        };
        let is_default = one.type_id == default && one.tags.is_empty() && one.technology.is_empty();
        let own = (!is_default).then(|| format!("planroom:{}", one.type_id));
        own.into_iter().chain(one.tags.iter().map(|tag| one_line(&tag.replace(',', " ")))).collect()
    }

    /// The properties of an element.
    pub(super) fn properties(&self, element: usize) -> Vec<(&str, String)> {
        const RESERVED: [&str; 6] = ["url", "kind", "technology", "tags", "c4", "group"];
        let one = self.component(element);
        let mut properties = vec![("planroom.id", one.id.clone())];
        if !one.owners.is_empty() && !one.properties.iter().any(|(name, _)| name == "owner") {
            let owners: Vec<String> = match &one.owners[..] {
                // The name alone is that of a team.
                [team] if !team.is_person && !team.name.contains(':') => vec![team.name.clone()],
                several => several.iter().map(Owner::reference).collect(),
            };
            properties.push(("owner", one_line(&owners.join(", "))));
        }
        let own = one.properties.iter().filter(|(name, value)| {
            let is_own = !["planroom.", "structurizr.", "perspective."].iter().any(|prefix| name.starts_with(prefix));
            is_own && !RESERVED.contains(&name.as_str()) && !one_line(name).is_empty() && !one_line(value).is_empty()
        });
        properties.extend(own.map(|(name, value)| (name.as_str(), one_line(value))));
        properties
    }
}

/// What the end of a component's contents closes.
enum End {
    /// The element, in the deployment environment or in the static model.
    Element(bool),
    Group,
    Nothing,
}

/// The outermost component around each component.
fn roots(tree: &Tree<'_>) -> Vec<usize> {
    let mut roots: Vec<usize> = (0..tree.parent.len()).collect();
    for visit in tree.walk() {
        if let Visit::Begin(at, _) = visit
            && let Some(parent) = tree.parent[at]
        {
            roots[at] = roots[parent];
        }
    }
    roots
}
