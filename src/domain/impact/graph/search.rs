//! Search for the shortest paths between two components, with a limit on the work.

use std::collections::HashMap;

use super::{Graph, Path, Step};

/// Maximum number of steps that a search examines, which takes tens of milliseconds.
pub(super) const STEPS: usize = 2_000_000;

/// The components reachable in one step, each with the arrows that lead to it. Parallel arrows are one step.
type Steps = Vec<(usize, Vec<usize>)>;

/// A depth-first search for simple paths with an increasing length limit (iterative deepening), so that shorter paths
/// come first and only one path is in memory. Steps from which the goal cannot be reached within the limit are skipped.
pub(super) struct Search<'g, 'a> {
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
    pub(super) found: Vec<Path<'a>>,
    /// Number of steps that may still be examined.
    pub(super) budget: usize,
    pub(super) ended_early: bool,
}

impl<'g, 'a> Search<'g, 'a> {
    pub(super) fn new(graph: &'g Graph<'a>, goal: usize, count: usize, budget: usize) -> Self {
        let left = graph.distances(goal);
        let distinct = |steps: &Vec<Step>| {
            let (mut distinct, mut at) = (Steps::new(), HashMap::new());
            for &Step { to, arrow } in steps.iter().filter(|step| left[step.to].is_some()) {
                let at = *at.entry(to).or_insert(distinct.len());
                match distinct.get_mut(at) {
                    Some((_, arrows)) => arrows.push(arrow),
                    None => distinct.push((to, vec![arrow])),
                }
            }
            distinct
        };
        let steps = graph.along.iter().map(distinct).collect();
        let on_path = vec![false; graph.names.len()];
        let (path, found) = (Vec::new(), Vec::new());
        Self { graph, goal, count, left, steps, path, on_path, found, budget, ended_early: false }
    }

    pub(super) fn run(&mut self, start: usize, longest: usize) {
        // A longer path would contain a component twice.
        let longest = longest.min(self.graph.names.len().saturating_sub(1));
        let Some(shortest) = self.left[start] else { return };
        for length in shortest..=longest {
            let has_longer = self.of_length(start, length);
            if self.is_over() || !has_longer {
                return;
            }
        }
    }

    fn is_over(&self) -> bool {
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
            if self.is_over() {
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

    /// Adds the current path to the result, once for each combination of parallel arrows, until enough paths are found.
    fn keep(&mut self) {
        let components: Vec<&str> = self.path.iter().map(|&(at, _)| self.graph.names[at]).collect();
        // The stored index is the next step to try, one after the step taken.
        let taken = self.path.iter().take(self.path.len().saturating_sub(1));
        let arrows: Vec<&[usize]> = taken.map(|&(at, next)| self.steps[at][next - 1].1.as_slice()).collect();
        let mut chosen = vec![0; arrows.len()];
        while self.found.len() <= self.count {
            let relationships = arrows.iter().zip(&chosen).map(|(arrows, &place)| self.graph.arrows[arrows[place]].id);
            self.found.push(Path { components: components.clone(), relationships: relationships.collect() });
            // The next combination: advance the last step that has another arrow, and reset the steps after it.
            let Some(last) = (0..chosen.len()).rev().find(|&step| chosen[step] + 1 < arrows[step].len()) else {
                return;
            };
            chosen[last] += 1;
            chosen[last + 1..].fill(0);
        }
    }
}
