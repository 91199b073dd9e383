//! The relationships of a workspace as a graph of ids.

mod search;

use std::collections::{HashMap, VecDeque};

use self::search::{STEPS, Search};

/// A relationship as an edge of the graph.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrow<'a> {
    /// Id of the relationship.
    pub id: &'a str,
    /// Id of the source component.
    pub source: &'a str,
    /// Id of the target component.
    pub target: &'a str,
    /// Whether the relationship has a direction. Undirected relationships are followed both ways.
    pub directed: bool,
}

/// The direction in which to follow arrows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// From source to target.
    Along,
    /// From target to source.
    Against,
}

/// A step from a component to an adjacent one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    to: usize,
    arrow: usize,
}

/// A reached component: its distance, and the previous component and arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reached<'a> {
    pub component: &'a str,
    pub distance: u32,
    pub from: &'a str,
    pub relationship: &'a str,
}

/// A path: its components and the relationships between them, one fewer than components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path<'a> {
    pub components: Vec<&'a str>,
    pub relationships: Vec<&'a str>,
}

/// Components by index, and the steps from each component.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    names: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
    arrows: Vec<Arrow<'a>>,
    along: Vec<Vec<Step>>,
    against: Vec<Vec<Step>>,
}

impl<'a> Graph<'a> {
    /// Builds a graph of these components. Arrows with an end outside of them are ignored.
    pub(super) fn new(components: impl Iterator<Item = &'a str>, arrows: impl Iterator<Item = Arrow<'a>>) -> Self {
        let names: Vec<&str> = components.collect();
        let places: HashMap<&str, usize> = names.iter().enumerate().map(|(place, name)| (*name, place)).collect();
        let nothing = || vec![Vec::new(); names.len()];
        let mut graph = Self { along: nothing(), against: nothing(), arrows: Vec::new(), names, places };
        for arrow in arrows {
            let (Some(&source), Some(&target)) = (graph.places.get(arrow.source), graph.places.get(arrow.target))
            else {
                continue;
            };
            let index = graph.arrows.len();
            graph.arrows.push(arrow);
            for (steps, from, to) in [(&mut graph.along, source, target), (&mut graph.against, target, source)] {
                steps[from].push(Step { to, arrow: index });
                if !arrow.directed {
                    steps[to].push(Step { to: from, arrow: index });
                }
            }
        }
        graph
    }

    /// Returns all components that can be reached from a component within `depth` steps, nearest first, each on a
    /// shortest path.
    pub(super) fn reach(&self, from: &str, way: Way, depth: u32) -> Vec<Reached<'a>> {
        let Some(&start) = self.places.get(from) else { return Vec::new() };
        let mut seen = vec![false; self.names.len()];
        seen[start] = true;
        let (mut waiting, mut reached) = (VecDeque::from([(start, 0)]), Vec::new());
        while let Some((at, distance)) = waiting.pop_front() {
            if distance == depth {
                continue;
            }
            for &Step { to, arrow } in &self.steps(way)[at] {
                if std::mem::replace(&mut seen[to], true) {
                    continue;
                }
                let (component, from) = (self.names[to], self.names[at]);
                let relationship = self.arrows[arrow].id;
                reached.push(Reached { component, distance: distance + 1, from, relationship });
                waiting.push_back((to, distance + 1));
            }
        }
        reached
    }

    /// Returns the shortest paths in the direction of arrows: at most `count` paths of at most `longest` steps, without
    /// repeated components.
    ///
    /// The flag is true if the list is complete, and false if there are more paths or the search ended early because it
    /// was too large.
    pub(super) fn paths(&self, from: &str, to: &str, count: usize, longest: usize) -> (Vec<Path<'a>>, bool) {
        let (Some(&start), Some(&goal)) = (self.places.get(from), self.places.get(to)) else {
            return (Vec::new(), true);
        };
        let mut search = Search::new(self, goal, count, STEPS);
        search.run(start, longest);
        let complete = !search.ended_early && search.found.len() <= count;
        search.found.truncate(count);
        (search.found, complete)
    }

    fn steps(&self, way: Way) -> &[Vec<Step>] {
        match way {
            Way::Along => &self.along,
            Way::Against => &self.against,
        }
    }

    /// The distance from each component to `goal` in the direction of arrows, in steps.
    fn distances(&self, goal: usize) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.names.len()];
        distances[goal] = Some(0);
        let mut waiting = VecDeque::from([(goal, 0)]);
        while let Some((at, distance)) = waiting.pop_front() {
            for &Step { to, .. } in &self.against[at] {
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

    fn graph(arrows: &[(usize, usize, bool)]) -> Graph<'static> {
        let arrows = arrows.iter().zip(IDS).map(|(&(source, target, directed), id)| Arrow {
            id,
            source: NAMES[source],
            target: NAMES[target],
            directed,
        });
        Graph::new(NAMES.into_iter(), arrows)
    }

    /// All paths without repeated components, by exhaustive search.
    fn every_path(graph: &Graph<'static>, trail: &[&'static str], by: &[&'static str], to: &str) -> Vec<Path<'static>> {
        let at = graph.places[trail.last().unwrap()];
        if graph.names[at] == to {
            return vec![Path { components: trail.to_vec(), relationships: by.to_vec() }];
        }
        let next = graph.along[at].iter().filter(|step| !trail.contains(&graph.names[step.to]));
        next.flat_map(|step| {
            let trail = [trail, &[graph.names[step.to]]].concat();
            every_path(graph, &trail, &[by, &[graph.arrows[step.arrow].id]].concat(), to)
        })
        .collect()
    }

    #[test]
    fn the_nearest_come_first_and_each_once() {
        let graph = graph(&[(0, 1, true), (1, 2, true), (0, 2, true), (2, 0, true), (3, 0, true)]);
        let reached = graph.reach("a", Way::Along, 9);
        let short: Vec<_> = reached.iter().map(|one| (one.component, one.distance, one.from)).collect();
        assert_eq!(short, [("b", 1, "a"), ("c", 1, "a")]);
        let against: Vec<_> = graph.reach("a", Way::Against, 1).iter().map(|one| one.component).collect();
        assert_eq!(against, ["c", "d"]);
        assert_eq!(graph.reach("none", Way::Along, 9), []);
    }

    #[test]
    fn an_arrow_to_itself_leads_nowhere() {
        let graph = graph(&[(0, 0, true)]);
        assert_eq!(graph.reach("a", Way::Along, 9), []);
        let (paths, whole) = graph.paths("a", "a", 5, 9);
        assert_eq!((paths.len(), paths[0].components.as_slice(), whole), (1, ["a"].as_slice(), true));
    }

    /// The names of components `0` to `count`.
    fn names(count: usize) -> Vec<String> {
        (0..count).map(|n| n.to_string()).collect()
    }

    #[test]
    fn shortest_paths_are_found_where_there_are_very_many() {
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
        let arrows = ends.iter().map(|&(source, target)| Arrow { id: "r", source, target, directed: true });
        let graph = Graph::new(names.iter().map(String::as_str), arrows);
        let (paths, complete) = graph.paths(start, goal, 5, 100);
        assert_eq!((paths.len(), complete), (5, false));
        assert!(paths.iter().all(|path| path.relationships.len() == LAYERS + 1));
    }

    #[test]
    fn parallel_relationships_do_not_multiply_the_work() {
        const PARALLEL: usize = 2_000;
        let names = names(92);
        let (first, end, back) = (names[0].as_str(), names[90].as_str(), names[91].as_str());
        let mut arrows: Vec<Arrow<'_>> =
            (0..90).map(|n| Arrow { id: "chain", source: &names[n], target: &names[n + 1], directed: true }).collect();
        for _ in 0..PARALLEL {
            arrows.push(Arrow { id: "there", source: end, target: back, directed: true });
            arrows.push(Arrow { id: "back", source: back, target: first, directed: true });
        }
        let graph = Graph::new(names.iter().map(String::as_str), arrows.into_iter());
        let mut search = Search::new(&graph, 91, 50, STEPS);
        search.run(0, 100);
        assert!(STEPS - search.budget < 1_000, "{} steps", STEPS - search.budget);
        let (paths, complete) = graph.paths(first, back, 50, 100);
        assert_eq!((paths.len(), complete), (50, false), "each parallel relationship is a path of its own");
        assert_eq!(graph.paths(first, back, 50, 90), (Vec::new(), true));
    }

    #[test]
    fn a_search_that_is_too_large_says_that_it_is_not_complete() {
        // Every component leads to every other one, but only one component leads to the goal.
        let names = names(42);
        let mut ends: Vec<(usize, usize)> = vec![(39, 40), (40, 41)];
        ends.extend((0..39).flat_map(|from| (0..40).filter(move |to| *to != from).map(move |to| (from, to))));
        let arrows = ends.iter();
        let arrows =
            arrows.map(|&(from, to)| Arrow { id: "r", source: &names[from], target: &names[to], directed: true });
        let graph = Graph::new(names.iter().map(String::as_str), arrows);
        let mut search = Search::new(&graph, 41, 1_000_000, 10_000);
        search.run(0, 100);
        assert!(search.ended_early && search.budget == 0);
        assert_eq!(
            search.found[0].components,
            ["0", "39", "40", "41"],
            "what was found until then, the shortest first"
        );
    }

    proptest! {
        #[test]
        fn what_is_reached_along_is_reached_back_against(
            arrows in prop::collection::vec((0..6_usize, 0..6_usize, any::<bool>()), 0..12), depth in 0..4_u32,
        ) {
            let graph = graph(&arrows);
            for from in NAMES {
                for one in graph.reach(from, Way::Along, depth) {
                    let back = graph.reach(one.component, Way::Against, depth);
                    let same = back.iter().find(|back| back.component == from);
                    prop_assert_eq!(same.map(|back| back.distance), Some(one.distance));
                    prop_assert!(one.distance <= depth);
                }
            }
        }

        #[test]
        fn paths_are_all_there_are_the_shortest_first(
            arrows in prop::collection::vec((0..6_usize, 0..6_usize, any::<bool>()), 0..12),
            count in 1..6_usize, longest in 1..6_usize,
        ) {
            let graph = graph(&arrows);
            let (found, whole) = graph.paths("a", "f", count, longest);
            let mut every = every_path(&graph, &["a"], &[], "f");
            every.retain(|path| path.relationships.len() <= longest);
            prop_assert_eq!(whole, every.len() <= count);
            prop_assert_eq!(found.len(), every.len().min(count));
            let mut lengths: Vec<_> = every.iter().map(|path| path.relationships.len()).collect();
            lengths.sort_unstable();
            let of_found: Vec<_> = found.iter().map(|path| path.relationships.len()).collect();
            prop_assert_eq!(&of_found[..], &lengths[..found.len()]);
            prop_assert!(found.iter().all(|path| every.contains(path)));
        }
    }
}
