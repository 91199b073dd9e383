//! Search for the shortest paths between two components, with a limit on the work.

use std::collections::HashMap;

use super::{Graph, GraphPath, Step};

/// Maximum number of steps that a search examines, which takes tens of milliseconds.
const MAX_STEPS: usize = 2_000_000;

/// The components reachable in one step, each with the edges that lead to it. Parallel edges are one step.
type Steps = Vec<(usize, Vec<usize>)>;

/// A depth-first search for simple paths with an increasing length limit (iterative deepening), so that shorter paths
/// come first and only one path is in memory. Steps from which the goal cannot be reached within the limit are skipped.
struct Search<'g, 'a> {
    graph: &'g Graph<'a>,
    goal: usize,
    /// Number of paths to find. The search stops after finding one more, which shows that the result is incomplete.
    count: usize,
    /// Distance from each component to the goal, in steps; none if the goal cannot be reached.
    left: Vec<Option<usize>>,
    steps: Vec<Steps>,
    /// The current path: components, each with the index in `steps` of the next step to try.
    path: Vec<(usize, usize)>,
    on_path: Vec<bool>,
    found: Vec<GraphPath<'a>>,
    /// Number of steps that may still be examined.
    budget: usize,
    ended_early: bool,
}

impl<'g, 'a> Search<'g, 'a> {
    fn new(graph: &'g Graph<'a>, goal: usize, count: usize, budget: usize) -> Self {
        let left = graph.distances(goal);
        let distinct = |steps: &Vec<Step>| {
            let (mut distinct, mut at) = (Steps::new(), HashMap::new());
            for &Step { to, edge } in steps.iter().filter(|step| left[step.to].is_some()) {
                let at = *at.entry(to).or_insert(distinct.len());
                match distinct.get_mut(at) {
                    Some((_, edges)) => edges.push(edge),
                    None => distinct.push((to, vec![edge])),
                }
            }
            distinct
        };
        let steps = graph.downstream.iter().map(distinct).collect();
        let on_path = vec![false; graph.names.len()];
        let (path, found) = (Vec::new(), Vec::new());
        Self { graph, goal, count, left, steps, path, on_path, found, budget, ended_early: false }
    }

    fn run(&mut self, start: usize, longest: usize) {
        // A longer path would contain a component twice.
        let longest = longest.min(self.graph.names.len().saturating_sub(1));
        let Some(shortest) = self.left[start] else { return };
        for length in shortest..=longest {
            let has_longer = self.of_length(start, length);
            if self.is_finished() || !has_longer {
                return;
            }
        }
    }

    fn is_finished(&self) -> bool {
        self.ended_early || self.found.len() > self.count
    }

    /// Finds the paths of exactly `length` steps. Returns whether a step was skipped only because of the length limit.
    fn of_length(&mut self, start: usize, length: usize) -> bool {
        let mut has_longer = false;
        self.enter(start);
        while let Some((at, next)) = self.path.last_mut() {
            let (at, place) = (*at, *next);
            *next += 1;
            let step = if at == self.goal { None } else { self.steps[at].get(place) };
            let Some(&(to, _)) = step else {
                if at == self.goal && self.path.len() == length + 1 {
                    self.keep();
                }
                self.on_path[at] = false;
                self.path.pop();
                continue;
            };
            if self.budget == 0 {
                self.ended_early = true;
            }
            if self.is_finished() {
                break;
            }
            self.budget -= 1;
            if self.on_path[to] {
                continue;
            }
            match self.left[to] {
                Some(left) if self.path.len() + left <= length => self.enter(to),
                _ => has_longer = true,
            }
        }
        // Clears the path after the search ended early.
        for (at, _) in self.path.drain(..) {
            self.on_path[at] = false;
        }
        has_longer
    }

    fn enter(&mut self, at: usize) {
        self.path.push((at, 0));
        self.on_path[at] = true;
    }

    /// Adds the current path to the result, once for each combination of parallel edges, until enough paths are found.
    fn keep(&mut self) {
        let components: Vec<&str> = self.path.iter().map(|&(at, _)| self.graph.names[at]).collect();
        // The stored index is the next step to try, one after the step taken.
        let taken = self.path.iter().take(self.path.len().saturating_sub(1));
        let edges: Vec<&[usize]> = taken.map(|&(at, next)| self.steps[at][next - 1].1.as_slice()).collect();
        let mut chosen = vec![0; edges.len()];
        while self.found.len() <= self.count {
            let relationships = edges.iter().zip(&chosen).map(|(edges, &place)| self.graph.edges[edges[place]].id);
            self.found.push(GraphPath { components: components.clone(), relationships: relationships.collect() });
            // The next combination: advance the last step that has another edge, and reset the steps after it.
            let Some(last) = (0..chosen.len()).rev().find(|&step| chosen[step] + 1 < edges[step].len()) else {
                return;
            };
            chosen[last] += 1;
            chosen[last + 1..].fill(0);
        }
    }
}

impl<'a> Graph<'a> {
    /// Returns the shortest paths in the direction of edges: at most `count` paths of at most `longest` steps, without
    /// repeated components.
    ///
    /// The flag is true if the list is complete, and false if there are more paths or the search ended early because it
    /// was too large.
    pub(in crate::domain::map::impact) fn paths(
        &self,
        from: &str,
        to: &str,
        count: usize,
        longest: usize,
    ) -> (Vec<GraphPath<'a>>, bool) {
        let (Some(&start), Some(&goal)) = (self.indexes.get(from), self.indexes.get(to)) else {
            return (Vec::new(), true);
        };
        let mut search = Search::new(self, goal, count, MAX_STEPS);
        search.run(start, longest);
        let complete = !search.ended_early && search.found.len() <= count;
        search.found.truncate(count);
        (search.found, complete)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Edge, *};

    /// The names of components `0` to `count`.
    fn names(count: usize) -> Vec<String> {
        (0..count).map(|n| n.to_string()).collect()
    }

    #[test]
    fn parallel_relationships_do_not_multiply_the_work() {
        const PARALLEL: usize = 2_000;
        let names = names(92);
        let (first, end, back) = (names[0].as_str(), names[90].as_str(), names[91].as_str());
        let mut edges: Vec<Edge<'_>> =
            (0..90).map(|n| Edge { id: "chain", source: &names[n], target: &names[n + 1], directed: true }).collect();
        for _ in 0..PARALLEL {
            edges.push(Edge { id: "there", source: end, target: back, directed: true });
            edges.push(Edge { id: "back", source: back, target: first, directed: true });
        }
        let graph = Graph::new(names.iter().map(String::as_str), edges.into_iter());
        let mut search = Search::new(&graph, 91, 50, MAX_STEPS);
        search.run(0, 100);
        assert!(MAX_STEPS - search.budget < 1_000, "{} steps", MAX_STEPS - search.budget);
        let (paths, complete) = graph.paths(first, back, 50, 100);
        assert_eq!((paths.len(), complete), (50, false), "each parallel relationship is a path of its own");
        assert_eq!(graph.paths(first, back, 50, 90), (Vec::new(), true));
    }

    #[test]
    fn a_search_over_the_limit_is_reported_as_incomplete() {
        // Every component leads to every other one, but only one component leads to the goal.
        let names = names(42);
        let mut ends: Vec<(usize, usize)> = vec![(39, 40), (40, 41)];
        ends.extend((0..39).flat_map(|from| (0..40).filter(move |to| *to != from).map(move |to| (from, to))));
        let edges = ends.iter();
        let edges = edges.map(|&(from, to)| Edge { id: "r", source: &names[from], target: &names[to], directed: true });
        let graph = Graph::new(names.iter().map(String::as_str), edges);
        let mut search = Search::new(&graph, 41, 1_000_000, 10_000);
        search.run(0, 100);
        assert!(search.ended_early && search.budget == 0);
        assert_eq!(
            search.found[0].components,
            ["0", "39", "40", "41"],
            "what was found until then, the shortest first"
        );
    }
}
