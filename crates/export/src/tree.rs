//! The components of a map by their containment, and its other relationships by the indexes of their ends.

use std::collections::HashMap;

use super::map::{Map, Relationship};

/// The relationship type that puts its target into its source.
const CONTAINS: &str = "contains";

/// A relationship with the indexes of its ends.
pub(super) struct Edge<'m> {
    pub(super) row: &'m Relationship,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// A step of the walk through the components: each one comes before its contents and ends after them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    /// A component, and the number of components around it.
    Begin(usize, usize),
    /// The end of its contents. Only for components with contents.
    End(usize, usize),
}

/// See the module documentation.
pub(super) struct Tree<'m> {
    /// The component around each component.
    pub(super) parent: Vec<Option<usize>>,
    /// The contents of each component, in order.
    pub(super) children: Vec<Vec<usize>>,
    /// All relationships but containment.
    pub(super) edges: Vec<Edge<'m>>,
}

impl<'m> Tree<'m> {
    /// The first component that contains another one is its parent. Circles are opened.
    pub(super) fn of(map: &'m Map) -> Self {
        let index: HashMap<&str, usize> =
            map.components.iter().enumerate().map(|(at, one)| (one.id.as_str(), at)).collect();
        let (mut parent, mut edges) = (vec![None; map.components.len()], Vec::new());
        for row in &map.relationships {
            let (Some(&from), Some(&to)) = (index.get(row.source_id.as_str()), index.get(row.target_id.as_str()))
            else {
                continue;
            };
            if row.type_id != CONTAINS {
                edges.push(Edge { row, from, to });
            } else if from != to && parent[to].is_none() {
                parent[to] = Some(from);
            }
        }
        open_circles(&mut parent);
        let mut children = vec![Vec::new(); map.components.len()];
        for (part, whole) in parent.iter().enumerate() {
            if let Some(whole) = *whole {
                children[whole].push(part);
            }
        }
        Self { parent, children, edges }
    }

    /// Walks through all components.
    pub(super) fn walk(&self) -> Vec<Visit> {
        let roots = (0..self.parent.len()).rev().filter(|at| self.parent[*at].is_none());
        let mut open: Vec<Visit> = roots.map(|at| Visit::Begin(at, 0)).collect();
        let mut visits = Vec::with_capacity(self.parent.len());
        while let Some(visit) = open.pop() {
            visits.push(visit);
            if let Visit::Begin(at, depth) = visit
                && !self.children[at].is_empty()
            {
                open.push(Visit::End(at, depth));
                open.extend(self.children[at].iter().rev().map(|child| Visit::Begin(*child, depth + 1)));
            }
        }
        visits
    }

    /// The components around a component, from the inside.
    pub(super) fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.parent[at], |above| self.parent[*above])
    }
}

/// Takes one component out of each circle of containment.
fn open_circles(parent: &mut [Option<usize>]) {
    // 0: not seen, otherwise the number of the walk that saw it.
    let mut seen = vec![0_usize; parent.len()];
    for start in 0..parent.len() {
        let mut at = start;
        while seen[at] == 0 {
            seen[at] = start + 1;
            let Some(above) = parent[at] else { break };
            if seen[above] == start + 1 {
                parent[at] = None;
                break;
            }
            at = above;
        }
    }
}
