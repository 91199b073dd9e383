//! The shortest paths between two components, within a limit on the work.

use std::collections::HashMap;

use super::{Graph, Path, Step};

/// Steps that one search looks at, at the most: some tens of milliseconds.
pub(super) const STEPS: usize = 2_000_000;

/// Components that one step leads to, each with the arrows that lead there: parallel arrows are one step.
type Steps = Vec<(usize, Vec<usize>)>;

/// A depth-first search for simple paths with a growing limit on their length, so that shorter paths come first and only
/// one path is in memory. A step that cannot reach the goal within the limit is not taken.
pub(super) struct Search<'g, 'a> {
    graph: &'g Graph<'a>,
    goal: usize,
    /// Paths to find; one more tells that there are more.
    count: usize,
    /// Steps from each component to the goal; none when it cannot be reached.
    left: Vec<Option<usize>>,
    steps: Vec<Steps>,
    /// The present path: components, each with the place in `steps` of the next one to try.
    path: Vec<(usize, usize)>,
    on_path: Vec<bool>,
    pub(super) found: Vec<Path<'a>>,
    /// Steps that may still be looked at.
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
        // A longer path would pass a component twice.
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

    /// Finds the paths of exactly `length` steps. Answers whether a step was left out because of the length alone.
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
        // After an early end.
        for (at, _) in self.path.drain(..) {
            self.on_path[at] = false;
        }
        has_longer
    }

    fn enter(&mut self, at: usize) {
        self.path.push((at, 0));
        self.on_path[at] = true;
    }

    /// Keeps the present path, once for each way to choose among parallel arrows, as long as paths are wanted.
    fn keep(&mut self) {
        let components: Vec<&str> = self.path.iter().map(|&(at, _)| self.graph.names[at]).collect();
        // The place to try next is one further than the step that was taken.
        let taken = self.path.iter().take(self.path.len().saturating_sub(1));
        let arrows: Vec<&[usize]> = taken.map(|&(at, next)| self.steps[at][next - 1].1.as_slice()).collect();
        let mut chosen = vec![0; arrows.len()];
        while self.found.len() <= self.count {
            let relationships = arrows.iter().zip(&chosen).map(|(arrows, &place)| self.graph.arrows[arrows[place]].id);
            self.found.push(Path { components: components.clone(), relationships: relationships.collect() });
            // The next choice: the last step that has one more arrow takes it, those behind it begin again.
            let Some(last) = (0..chosen.len()).rev().find(|&step| chosen[step] + 1 < arrows[step].len()) else {
                return;
            };
            chosen[last] += 1;
            chosen[last + 1..].fill(0);
        }
    }
}
