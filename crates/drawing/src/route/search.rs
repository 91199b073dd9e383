//! A* search on the track graph, over vertices and directions of travel.

use std::collections::HashSet;

use super::{
    heap::MinHeap,
    polyline::{center_distance, is_nested, simplify},
    rules::RULES,
    track_graph::{NONE, TrackGraph},
    types::{Edge, INNER, PORTS, RouteNode},
    work::Work,
};
use crate::geometry::{Point, Rect};

/// The edge between two vertices.
pub(super) fn edge_key(one: u32, other: u32) -> Edge {
    (one.min(other), one.max(other))
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SearchOptions<'s> {
    /// Edges already used by lines of the same trunk; they cost less.
    pub shared: Option<&'s HashSet<Edge>>,
    /// Breaks ties between paths of equal cost.
    pub seed: usize,
    /// The line points from `to` to `from`, so the arrowhead is at the start of the path.
    pub is_reversed: bool,
    /// Starts at a search state instead of a node's ports, but not in the direction of `blocked_side`.
    pub start_state: Option<u32>,
    pub blocked_side: Option<usize>,
    /// Ends at a vertex, in a direction, instead of a node's ports.
    pub end_vertex: Option<u32>,
    pub end_is_vertical: Option<bool>,
}

#[derive(Debug, Clone)]
pub(super) struct SearchResult {
    pub points: Vec<Point>,
    /// The port at the end is meaningless if the search ended at a vertex.
    pub ports: (usize, usize),
    pub cost: f64,
    pub edges: Vec<Edge>,
    /// The final state, which is the start of the next leg.
    pub end_state: u32,
}

/// Where a search may end.
#[derive(Clone, Copy)]
enum Goal {
    /// At a port of the target.
    Port(usize),
    /// At a vertex.
    Vertex,
}

/// The start and target of one search.
struct Task<'s> {
    from: usize,
    goals: Vec<(u32, Goal)>,
    /// The target area for the heuristic.
    target: Rect,
    shared: Option<&'s HashSet<Edge>>,
    share: f64,
    weight: f64,
    /// Groups whose border the line must cross.
    crossed: Vec<usize>,
    has_start_state: bool,
    blocked_side: Option<usize>,
    end_is_vertical: Option<bool>,
    /// Costs of a short first and last piece.
    short_first: f64,
    short_last: f64,
}

impl Task<'_> {
    fn goal(&self, vertex: u32) -> Option<Goal> {
        self.goals.iter().rev().find(|(at, _)| *at == vertex).map(|(_, goal)| *goal)
    }
}

/// The number of lines that pass straight through each vertex, by direction.
#[derive(Debug)]
pub(super) struct Crossings {
    pub horizontal: Vec<i32>,
    pub vertical: Vec<i32>,
}

/// State: vertex × 2, plus 1 for vertical travel.
#[derive(Debug)]
pub(super) struct PathSearch<'g, 'r> {
    pub graph: &'g TrackGraph<'r>,
    /// Without them, crossings cost nothing.
    pub crossings: Option<Crossings>,
    costs: Vec<f64>,
    previous: Vec<u32>,
    /// The last search that reached or settled each state.
    reached: Vec<u32>,
    settled: Vec<u32>,
    heap: MinHeap,
    turn: u32,
    work: &'g Work,
}

impl<'g, 'r> PathSearch<'g, 'r> {
    pub(super) fn new(graph: &'g TrackGraph<'r>, work: &'g Work) -> Self {
        let states = graph.size() * 2;
        Self {
            graph,
            crossings: None,
            costs: vec![0.0; states],
            previous: vec![NONE; states],
            reached: vec![0; states],
            settled: vec![0; states],
            heap: MinHeap::default(),
            turn: 0,
            work,
        }
    }

    /// The cheapest path between two nodes, or `None` if there is none or no work is left.
    pub(super) fn find(&mut self, from: usize, to: usize, options: &SearchOptions<'_>) -> Option<SearchResult> {
        let task = self.task(from, to, options);
        if task.goals.is_empty() {
            return None;
        }
        self.turn += 1;
        self.heap.clear();
        match options.start_state {
            Some(state) => self.reach(&task, state, 0.0, NONE),
            None => self.start(&task, to, options.seed),
        }
        while let Some(state) = self.heap.pop() {
            if self.settled[state as usize] == self.turn {
                continue;
            }
            self.settled[state as usize] = self.turn;
            if let Some(goal) = task.goal(state / 2).filter(|goal| self.arrives(&task, state, *goal)) {
                return Some(self.result(&task, state, goal));
            }
            if !self.work.spend(4) {
                return None;
            }
            self.expand(&task, state);
        }
        None
    }

    fn task<'s>(&self, from: usize, to: usize, options: &SearchOptions<'s>) -> Task<'s> {
        let nodes = &self.graph.input.nodes;
        let (source, target) = (&nodes[from], &nodes[to]);
        let goals = match options.end_vertex {
            Some(vertex) => vec![(vertex, Goal::Vertex)],
            None => ports_towards(target, source)
                .iter()
                .map(|port| (self.graph.ports[to][*port], Goal::Port(*port)))
                .filter(|(vertex, _)| *vertex != NONE)
                .collect(),
        };
        let limits = &RULES.limits;
        let is_long =
            nodes.len() > limits.large_map_nodes && center_distance(&source.rect, &target.rect) > limits.long_distance;
        let shared = options.shared.filter(|shared| !shared.is_empty() && !is_long);
        let (first, last) = (RULES.costs.short_first_piece, RULES.costs.short_last_piece);
        Task {
            from,
            goals,
            target: options.end_vertex.map_or(target.rect, |vertex| Rect::from(self.graph.point(vertex))),
            shared,
            share: if shared.is_some() { RULES.costs.shared_step } else { 1.0 },
            weight: if is_long { limits.long_weight } else { 1.0 },
            crossed: group_difference(nodes, Some(from), Some(to)),
            has_start_state: options.start_state.is_some(),
            blocked_side: options.blocked_side,
            end_is_vertical: options.end_is_vertical,
            short_first: if options.is_reversed { last } else { first },
            short_last: if options.is_reversed { first } else { last },
        }
    }

    fn start(&mut self, task: &Task<'_>, to: usize, seed: usize) {
        let graph = self.graph;
        let nodes = &graph.input.nodes;
        for &port in ports_towards(&nodes[task.from], &nodes[to]) {
            let vertex = graph.ports[task.from][port];
            if vertex == NONE {
                continue;
            }
            let share = ((seed + 1) * 7_919 + port * 104_729) % 97;
            let tie_break = RULES.costs.tie_break * share as f64 / 97.0;
            self.reach(task, vertex * 2 + u32::from(is_vertical_port(port)), tie_break, NONE);
        }
    }

    fn reach(&mut self, task: &Task<'_>, state: u32, cost: f64, previous: u32) {
        let at = state as usize;
        self.costs[at] = cost;
        self.previous[at] = previous;
        self.reached[at] = self.turn;
        self.heap.push(state, cost + self.estimate(task, state));
    }

    /// A lower bound of the remaining cost. For long lines the estimate is higher, which makes the search faster but not
    /// optimal.
    fn estimate(&self, Task { target, share, weight, .. }: &Task<'_>, state: u32) -> f64 {
        let Point { x, y } = self.graph.point(state / 2);
        let dx = (target.x - x).max(0.0).max(x - target.x - target.width);
        let dy = (target.y - y).max(0.0).max(y - target.y - target.height);
        let needs_bend = if is_vertical(state) { dx > 0.0 } else { dy > 0.0 };
        ((dx + dy) * share + if needs_bend { RULES.costs.bend } else { 0.0 }) * weight
    }

    fn arrives(&self, task: &Task<'_>, state: u32, goal: Goal) -> bool {
        match goal {
            Goal::Vertex => task.end_is_vertical.is_none_or(|wanted| wanted == is_vertical(state)),
            Goal::Port(port) => is_vertical_port(port) == is_vertical(state) && self.previous[state as usize] != NONE,
        }
    }

    fn expand(&mut self, task: &Task<'_>, state: u32) {
        let graph = self.graph;
        for (side, &next) in graph.neighbors[state as usize / 2].iter().enumerate() {
            if next == NONE {
                continue;
            }
            let goes_vertical = side == 0 || side == 2;
            let turns = goes_vertical != is_vertical(state);
            let is_first = self.previous[state as usize] == NONE;
            if is_first && task.blocked_side == Some(side) {
                continue;
            }
            // The first piece must be perpendicular to the side of the node.
            if turns && is_first && !task.has_start_state {
                continue;
            }
            let next_state = next * 2 + u32::from(goes_vertical);
            let at = next_state as usize;
            if self.settled[at] == self.turn {
                continue;
            }
            let cost = self.costs[state as usize] + self.step_cost(task, state, next, goes_vertical, turns);
            if self.reached[at] == self.turn && self.costs[at] <= cost + 1e-9 {
                continue;
            }
            self.reach(task, next_state, cost, state);
        }
    }

    fn step_cost(&self, task: &Task<'_>, state: u32, next: u32, goes_vertical: bool, turns: bool) -> f64 {
        let (graph, costs) = (self.graph, &RULES.costs);
        let vertex = state / 2;
        let length = graph.distance(vertex, next);
        let is_shared = task.shared.is_some_and(|shared| shared.contains(&edge_key(vertex, next)));
        let mut cost = if is_shared { length * task.share } else { length };
        if turns {
            cost += costs.bend + self.short_first_cost(task, state);
        }
        if turns && length < costs.short_piece && task.goal(next).is_some() {
            cost += task.short_last;
        } else if let Some(crossings) = &self.crossings {
            let across = if goes_vertical { &crossings.horizontal } else { &crossings.vertical };
            cost += costs.crossing * f64::from(across[vertex as usize]);
        }
        let (from, to) = (graph.group[vertex as usize], graph.group[next as usize]);
        if from == to { cost } else { cost + self.border_cost(from, to, &task.crossed) }
    }

    fn short_first_cost(&self, task: &Task<'_>, state: u32) -> f64 {
        let start = self.previous[state as usize];
        if start == NONE || self.previous[start as usize] != NONE {
            return 0.0;
        }
        let is_short = self.graph.distance(state / 2, start / 2) < RULES.costs.short_piece;
        if is_short { task.short_first } else { 0.0 }
    }

    /// Penalizes crossing the border of a group that contains both ends or neither.
    fn border_cost(&self, from: u32, to: u32, crossed: &[usize]) -> f64 {
        let node = |group: u32| (group != NONE).then_some(group as usize);
        let groups = group_difference(&self.graph.input.nodes, node(from), node(to));
        self.work.spend(groups.len() * (1 + crossed.len()));
        groups.iter().filter(|group| !crossed.contains(group)).count() as f64 * RULES.costs.group_border
    }

    fn result(&self, task: &Task<'_>, end_state: u32, goal: Goal) -> SearchResult {
        let graph = self.graph;
        let mut points = Vec::new();
        let mut edges = Vec::new();
        let (mut state, mut first) = (end_state, end_state);
        while state != NONE {
            points.push(graph.point(state / 2));
            first = state;
            let previous = self.previous[state as usize];
            if previous != NONE {
                edges.push(edge_key(state / 2, previous / 2));
            }
            state = previous;
        }
        let start_port = (0..PORTS).rev().find(|side| graph.ports[task.from][*side] == first / 2).unwrap_or(0);
        SearchResult {
            points: simplify(points.into_iter().rev()),
            ports: (start_port, if let Goal::Port(port) = goal { port } else { 0 }),
            cost: self.costs[end_state as usize],
            edges,
            end_state,
        }
    }
}

fn is_vertical(state: u32) -> bool {
    state & 1 == 1
}

/// The ports of a node for lines to another node. Groups use the port below their title for lines to their contents.
pub(super) fn ports_towards(node: &RouteNode, other: &RouteNode) -> &'static [usize] {
    let area = |node: &RouteNode| node.rect.width * node.rect.height;
    if node.is_group && is_nested(&node.rect, &other.rect) && area(node) >= area(other) {
        &[INNER]
    } else {
        &[0, 1, 2, 3]
    }
}

pub(super) fn is_vertical_port(port: usize) -> bool {
    port == 0 || port == 2 || port == INNER
}

/// The groups that contain exactly one of two nodes, and the nodes themselves.
fn group_difference(nodes: &[RouteNode], one: Option<usize>, other: Option<usize>) -> Vec<usize> {
    let chain = |node: Option<usize>| std::iter::successors(node, |at| nodes[*at].parent);
    let mut around: Vec<usize> = chain(one).collect();
    let mut others: Vec<usize> = chain(other).collect();
    // Both chains end with the groups around both.
    while !around.is_empty() && around.last() == others.last() {
        around.pop();
        others.pop();
    }
    around.append(&mut others);
    around
}
