//! A workspace's relationships as a graph, to be searched. Knows ids alone.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque},
};

/// Partial paths that one search for paths looks at, at the most.
const EFFORT: usize = 200_000;

/// One arrow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrow<'a> {
    /// The relationship's id.
    pub id: &'a str,
    /// Component that it comes from.
    pub source: &'a str,
    /// Component that it goes to.
    pub target: &'a str,
    /// Whether it goes that way alone.
    pub directed: bool,
}

/// Which way to walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// As arrows point.
    Along,
    /// Against them.
    Against,
}

/// A step from one component to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    to: usize,
    arrow: usize,
}

/// What a search has reached: how far away, and by which arrow from where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reached<'a> {
    pub component: &'a str,
    pub distance: u32,
    pub from: &'a str,
    pub relationship: &'a str,
}

/// A path: its components, and the relationships between them, of which there is one less.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path<'a> {
    pub components: Vec<&'a str>,
    pub relationships: Vec<&'a str>,
}

/// Components by their place, and the steps that lead from each.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    names: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
    arrows: Vec<Arrow<'a>>,
    along: Vec<Vec<Step>>,
    against: Vec<Vec<Step>>,
}

impl<'a> Graph<'a> {
    /// A graph of these components. Arrows whose ends are not among them are left out.
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

    /// All that can be reached from a component within `depth` steps, the nearest first, each on a shortest way.
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

    /// The shortest paths along the arrows, at most `count` of at most `longest` steps, none through a component twice.
    /// Also whether that is all there is to say: false when there are more, or the search was given up.
    pub(super) fn paths(&self, from: &str, to: &str, count: usize, longest: usize) -> (Vec<Path<'a>>, bool) {
        let (Some(&start), Some(&goal)) = (self.places.get(from), self.places.get(to)) else {
            return (Vec::new(), true);
        };
        let left = self.distances(goal);
        let mut found = Vec::new();
        let (mut trails, mut waiting) = (Vec::<(usize, Option<usize>, Option<usize>)>::new(), BinaryHeap::new());
        let add = |trails: &mut Vec<_>, waiting: &mut BinaryHeap<_>, at: usize, by, parent, length: usize| {
            if let Some(rest) = left[at].filter(|rest| length + rest <= longest) {
                trails.push((at, by, parent));
                waiting.push(Reverse((length + rest, trails.len() - 1, length)));
            }
        };
        add(&mut trails, &mut waiting, start, None, None, 0);
        while let Some(Reverse((_, trail, length))) = waiting.pop() {
            let at = trails[trail].0;
            if at == goal {
                if found.len() == count {
                    return (found, false);
                }
                found.push(self.path(&trails, trail));
                continue;
            }
            if trails.len() > EFFORT {
                return (found, false);
            }
            for &Step { to, arrow } in &self.along[at] {
                if !walked(&trails, trail).any(|(passed, _)| passed == to) {
                    add(&mut trails, &mut waiting, to, Some(arrow), Some(trail), length + 1);
                }
            }
        }
        (found, true)
    }

    fn steps(&self, way: Way) -> &[Vec<Step>] {
        match way {
            Way::Along => &self.along,
            Way::Against => &self.against,
        }
    }

    /// How many steps along the arrows each component is away from `goal`.
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

    fn path(&self, trails: &[(usize, Option<usize>, Option<usize>)], end: usize) -> Path<'a> {
        let mut components: Vec<&str> = walked(trails, end).map(|(at, _)| self.names[at]).collect();
        let mut relationships: Vec<&str> =
            walked(trails, end).filter_map(|(_, by)| Some(self.arrows[by?].id)).collect();
        components.reverse();
        relationships.reverse();
        Path { components, relationships }
    }
}

/// The components of a trail from its end to its beginning, each with the arrow that led there.
fn walked(
    trails: &[(usize, Option<usize>, Option<usize>)],
    end: usize,
) -> impl Iterator<Item = (usize, Option<usize>)> + '_ {
    std::iter::successors(Some(end), |&trail| trails[trail].2).map(|trail| (trails[trail].0, trails[trail].1))
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

    /// All paths without a component twice, found the plain way.
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
