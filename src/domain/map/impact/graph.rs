//! The relationships of a workspace as a graph of ids.

mod search;

use std::collections::{HashMap, VecDeque};

/// A relationship as an edge of the graph.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain::map) struct Edge<'a> {
    /// Id of the relationship.
    pub id: &'a str,
    /// Id of the source component.
    pub source: &'a str,
    /// Id of the target component.
    pub target: &'a str,
    /// Whether the relationship has a direction. Undirected relationships are followed both ways.
    pub directed: bool,
}

/// The direction in which to follow edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::domain::map) enum Traversal {
    /// From source to target.
    Downstream,
    /// From target to source.
    Upstream,
}

/// A step from a component to an adjacent one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    to: usize,
    edge: usize,
}

/// A reached component: its distance, and the previous component and edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::domain::map) struct ReachedNode<'a> {
    pub component: &'a str,
    pub distance: u32,
    pub from: &'a str,
    pub relationship: &'a str,
}

/// A path: its components and the relationships between them, one fewer than components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GraphPath<'a> {
    pub components: Vec<&'a str>,
    pub relationships: Vec<&'a str>,
}

/// Components by index, and the steps from each component.
#[derive(Debug)]
pub(in crate::domain::map) struct Graph<'a> {
    names: Vec<&'a str>,
    indexes: HashMap<&'a str, usize>,
    edges: Vec<Edge<'a>>,
    downstream: Vec<Vec<Step>>,
    upstream: Vec<Vec<Step>>,
}

impl<'a> Graph<'a> {
    /// Builds a graph of these components. Arrows with an end outside of them are ignored.
    pub(in crate::domain::map) fn new(
        components: impl Iterator<Item = &'a str>,
        edges: impl Iterator<Item = Edge<'a>>,
    ) -> Self {
        let names: Vec<&str> = components.collect();
        let indexes: HashMap<&str, usize> = names.iter().enumerate().map(|(place, name)| (*name, place)).collect();
        let nothing = || vec![Vec::new(); names.len()];
        let mut graph = Self { downstream: nothing(), upstream: nothing(), edges: Vec::new(), names, indexes };
        for edge in edges {
            let (Some(&source), Some(&target)) = (graph.indexes.get(edge.source), graph.indexes.get(edge.target))
            else {
                continue;
            };
            let index = graph.edges.len();
            graph.edges.push(edge);
            for (steps, from, to) in [(&mut graph.downstream, source, target), (&mut graph.upstream, target, source)] {
                steps[from].push(Step { to, edge: index });
                if !edge.directed {
                    steps[to].push(Step { to: from, edge: index });
                }
            }
        }
        graph
    }

    /// Returns all components that can be reached from any of the components `from` within `depth` steps, nearest first,
    /// each on a shortest path.
    pub(in crate::domain::map) fn reach<'s>(
        &self,
        from: impl IntoIterator<Item = &'s str>,
        traversal: Traversal,
        depth: u32,
    ) -> Vec<ReachedNode<'a>> {
        let mut seen = vec![false; self.names.len()];
        let starts = from.into_iter().filter_map(|name| self.indexes.get(name).copied());
        let starts = starts.filter(|start| !std::mem::replace(&mut seen[*start], true)).map(|start| (start, 0));
        let (mut waiting, mut reached) = (starts.collect::<VecDeque<_>>(), Vec::new());
        while let Some((at, distance)) = waiting.pop_front() {
            if distance == depth {
                continue;
            }
            for &Step { to, edge } in &self.steps(traversal)[at] {
                if std::mem::replace(&mut seen[to], true) {
                    continue;
                }
                let (component, from) = (self.names[to], self.names[at]);
                let relationship = self.edges[edge].id;
                reached.push(ReachedNode { component, distance: distance + 1, from, relationship });
                waiting.push_back((to, distance + 1));
            }
        }
        reached
    }

    fn steps(&self, traversal: Traversal) -> &[Vec<Step>] {
        match traversal {
            Traversal::Downstream => &self.downstream,
            Traversal::Upstream => &self.upstream,
        }
    }

    /// The distance from each component to `goal` in the direction of edges, in steps.
    fn distances(&self, goal: usize) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.names.len()];
        distances[goal] = Some(0);
        let mut waiting = VecDeque::from([(goal, 0)]);
        while let Some((at, distance)) = waiting.pop_front() {
            for &Step { to, .. } in &self.upstream[at] {
                if distances[to].is_none() {
                    distances[to] = Some(distance + 1);
                    waiting.push_back((to, distance + 1));
                }
            }
        }
        distances
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
    const IDS: [&str; 12] = ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"];

    fn graph(edges: &[(usize, usize, bool)]) -> Graph<'static> {
        let edges = edges.iter().zip(IDS).map(|(&(source, target, directed), id)| Edge {
            id,
            source: NAMES[source],
            target: NAMES[target],
            directed,
        });
        Graph::new(NAMES.into_iter(), edges)
    }

    /// All paths without repeated components, by exhaustive search.
    fn every_path(
        graph: &Graph<'static>,
        trail: &[&'static str],
        by: &[&'static str],
        to: &str,
    ) -> Vec<GraphPath<'static>> {
        let at = graph.indexes[trail.last().unwrap()];
        if graph.names[at] == to {
            return vec![GraphPath { components: trail.to_vec(), relationships: by.to_vec() }];
        }
        let next = graph.downstream[at].iter().filter(|step| !trail.contains(&graph.names[step.to]));
        next.flat_map(|step| {
            let trail = [trail, &[graph.names[step.to]]].concat();
            every_path(graph, &trail, &[by, &[graph.edges[step.edge].id]].concat(), to)
        })
        .collect()
    }

    #[test]
    fn reached_components_are_listed_once_and_nearest_first() {
        let graph = graph(&[(0, 1, true), (1, 2, true), (0, 2, true), (2, 0, true), (3, 0, true)]);
        let reached = graph.reach(["a"], Traversal::Downstream, 9);
        let short: Vec<_> = reached.iter().map(|reached| (reached.component, reached.distance, reached.from)).collect();
        assert_eq!(short, [("b", 1, "a"), ("c", 1, "a")]);
        let upstream: Vec<_> =
            graph.reach(["a"], Traversal::Upstream, 1).iter().map(|reached| reached.component).collect();
        assert_eq!(upstream, ["c", "d"]);
        assert_eq!(graph.reach(["none"], Traversal::Downstream, 9), []);
        let reached = graph.reach(["none", "c", "d", "c"], Traversal::Downstream, 1);
        let short: Vec<_> = reached.iter().map(|reached| (reached.component, reached.distance, reached.from)).collect();
        assert_eq!(short, [("a", 1, "c")], "from several components");
    }

    #[test]
    fn a_relationship_to_itself_is_not_followed() {
        let graph = graph(&[(0, 0, true)]);
        assert_eq!(graph.reach(["a"], Traversal::Downstream, 9), []);
        let (paths, complete) = graph.paths("a", "a", 5, 9);
        assert_eq!((paths.len(), paths[0].components.as_slice(), complete), (1, ["a"].as_slice(), true));
    }

    /// The names of components `0` to `count`.
    fn names(count: usize) -> Vec<String> {
        (0..count).map(|n| n.to_string()).collect()
    }

    #[test]
    fn shortest_paths_are_found_among_very_many_paths() {
        const LAYERS: usize = 30;
        let names = names(LAYERS * 3 + 2);
        let (start, goal) = (names[LAYERS * 3].as_str(), names[LAYERS * 3 + 1].as_str());
        let mut ends: Vec<(&str, &str)> = Vec::new();
        for side in 0..3 {
            ends.push((start, &names[side]));
            ends.push((&names[(LAYERS - 1) * 3 + side], goal));
            for layer in 1..LAYERS {
                (0..3).for_each(|from| ends.push((&names[(layer - 1) * 3 + from], &names[layer * 3 + side])));
            }
        }
        let edges = ends.iter().map(|&(source, target)| Edge { id: "r", source, target, directed: true });
        let graph = Graph::new(names.iter().map(String::as_str), edges);
        let (paths, complete) = graph.paths(start, goal, 5, 100);
        assert_eq!((paths.len(), complete), (5, false));
        assert!(paths.iter().all(|path| path.relationships.len() == LAYERS + 1));
    }

    proptest! {
        #[test]
        fn a_component_reached_downstream_reaches_back_upstream(
            edges in prop::collection::vec((0..6_usize, 0..6_usize, any::<bool>()), 0..12), depth in 0..4_u32,
        ) {
            let graph = graph(&edges);
            for from in NAMES {
                for one in graph.reach([from], Traversal::Downstream, depth) {
                    let back = graph.reach([one.component], Traversal::Upstream, depth);
                    let same = back.iter().find(|back| back.component == from);
                    prop_assert_eq!(same.map(|back| back.distance), Some(one.distance));
                    prop_assert!(one.distance <= depth);
                }
            }
        }

        #[test]
        fn all_paths_are_found_shortest_first(
            edges in prop::collection::vec((0..6_usize, 0..6_usize, any::<bool>()), 0..12),
            count in 1..6_usize, longest in 1..6_usize,
        ) {
            let graph = graph(&edges);
            let (found, complete) = graph.paths("a", "f", count, longest);
            let mut every = every_path(&graph, &["a"], &[], "f");
            every.retain(|path| path.relationships.len() <= longest);
            prop_assert_eq!(complete, every.len() <= count);
            prop_assert_eq!(found.len(), every.len().min(count));
            let mut lengths: Vec<_> = every.iter().map(|path| path.relationships.len()).collect();
            lengths.sort_unstable();
            let of_found: Vec<_> = found.iter().map(|path| path.relationships.len()).collect();
            prop_assert_eq!(&of_found[..], &lengths[..found.len()]);
            prop_assert!(found.iter().all(|path| every.contains(path)));
        }
    }
}
