//! Routes all lines of a map. Nodes are never moved.

use std::collections::{HashMap, HashSet};

use super::{
    facing::facing_path,
    polyline::{center_distance, is_nested},
    rules::RULES,
    search::{Crossings, PathSearch, SearchOptions, SearchResult},
    spread::spread,
    track_graph::{NONE, TrackGraph, ascending},
    trunks::assign_trunks,
    types::{EAST, Edge, NORTH, RouteInput, RouteLine, TrackPath},
    waypoints::{Ends, path_through},
    work::{Cancellation, Work},
};
use crate::geometry::{Point, Rect};

/// Steps for the search, and for everything else. Maps of 1,000 components take less than a tenth of them.
pub(super) const SEARCH_STEPS: u64 = 60_000_000;
pub(super) const OTHER_STEPS: u64 = 60_000_000;

/// The polylines of all lines; `None` for lines that are drawn straight.
pub(crate) fn route_lines(input: &RouteInput<'_>, cancellation: &Cancellation) -> Vec<Option<Vec<Point>>> {
    route_with(input, &Work::new(SEARCH_STEPS, cancellation), &Work::new(OTHER_STEPS, cancellation))
}

/// Like `route_lines`, with other limits.
pub(super) fn route_with(input: &RouteInput<'_>, search_work: &Work, work: &Work) -> Vec<Option<Vec<Point>>> {
    let none = || vec![None; input.lines.len()];
    let Some(graph) = TrackGraph::of(input, work) else { return none() };
    let paths = Router::new(&graph, search_work).route_all();
    // What was found after the work was spent may cross obstacles.
    let polylines = spread(input, &graph.obstacles, &paths, work).filter(|_| !work.is_spent());
    polylines.unwrap_or_else(none)
}

/// Whether a line is short enough to be routed. In dense maps, long lines are drawn straight.
fn is_routable(input: &RouteInput<'_>, line: &RouteLine<'_>) -> bool {
    if line.is_straight {
        return false;
    }
    if input.lines.len() <= RULES.limits.dense_map_lines || !line.via.is_empty() {
        return true;
    }
    let distance = center_distance(&input.nodes[line.from].rect, &input.nodes[line.to].rect);
    distance <= RULES.limits.dense_map_distance
}

struct Router<'g, 'r> {
    graph: &'g TrackGraph<'r>,
    search: PathSearch<'g, 'r>,
    input: &'r RouteInput<'r>,
    trunks: Vec<Option<usize>>,
    /// The edges used by each trunk so far.
    trunk_edges: HashMap<usize, HashSet<Edge>>,
    /// Where the waypoints of each line are in `via_vertices` of the graph.
    via: Vec<usize>,
}

impl<'g, 'r> Router<'g, 'r> {
    fn new(graph: &'g TrackGraph<'r>, work: &'g Work) -> Self {
        let input = graph.input;
        let via = input.lines.iter().scan(0, |next, line| {
            let first = *next;
            *next += line.via.len();
            Some(first)
        });
        Self {
            graph,
            search: PathSearch::new(graph, work),
            input,
            trunks: assign_trunks(&input.lines),
            trunk_edges: HashMap::new(),
            via: via.collect(),
        }
    }

    fn route_all(mut self) -> Vec<Option<TrackPath>> {
        let lines = &self.input.lines;
        let mut paths: Vec<Option<TrackPath>> = vec![None; lines.len()];
        let routable = (0..lines.len()).filter(|at| is_routable(self.input, &lines[*at]));
        let (single, bundled): (Vec<usize>, Vec<usize>) = routable.partition(|at| self.trunks[*at].is_none());
        let members = group_by(&bundled, |at| self.trunks[at]);
        for &at in &single {
            paths[at] = self.route(at);
        }
        for (_, list) in &members {
            self.route_trunk(list, &mut paths);
        }
        if lines.len() <= RULES.limits.crossing_aware_lines {
            self.avoid_crossings(&single, &members, &mut paths);
        }
        paths
    }

    /// The path of a line, or `None` if there is none.
    fn route(&mut self, at: usize) -> Option<TrackPath> {
        let RouteLine { from, to, lane, ref via, .. } = self.input.lines[at];
        let (source, target) = (&self.input.nodes[from], &self.input.nodes[to]);
        if from == to {
            let points = self.own_loop(from, lane);
            return Some(TrackPath { points, ports: (NORTH, EAST), is_fixed: true, ..TrackPath::default() });
        }
        if is_nested(&source.rect, &target.rect) && !source.is_group && !target.is_group {
            return None;
        }
        if !via.is_empty()
            && let Some(through) = self.route_via(at)
        {
            return Some(through);
        }
        let Some(trunk) = self.trunks[at] else {
            if let Some(facing) = facing_path(&self.graph.obstacles, from, to) {
                return Some(facing);
            }
            let found = self.find_between(from, to)?;
            return Some(path_of(found, None));
        };
        let shared = self.trunk_edges.entry(trunk).or_default();
        if shared.is_empty()
            && let Some(facing) = facing_path(&self.graph.obstacles, from, to)
        {
            return Some(TrackPath { trunk: Some(trunk), ..facing });
        }
        let found = self.search.find(from, to, &SearchOptions { shared: Some(shared), ..SearchOptions::default() })?;
        shared.extend(&found.edges);
        Some(path_of(found, Some(trunk)))
    }

    /// Searches in the same direction for lines in both directions, so that they run in parallel.
    fn find_between(&mut self, from: usize, to: usize) -> Option<SearchResult> {
        let (low, high) = (from.min(to), from.max(to));
        let is_reversed = from > to;
        let options = SearchOptions { seed: low * 31 + high, is_reversed, ..SearchOptions::default() };
        let mut found = self.search.find(low, high, &options)?;
        if is_reversed {
            found.points.reverse();
            found.ports = (found.ports.1, found.ports.0);
        }
        Some(found)
    }

    /// A line from a node to itself around the node's top right corner, as large as the space allows.
    fn own_loop(&self, node: usize, lane: usize) -> Vec<Point> {
        let Rect { x, y, width, .. } = self.input.nodes[node].rect;
        let (rule, lane) = (&RULES.own_loop, lane as f64);
        let room = |side: usize| self.graph.obstacles.gap(node, side) - RULES.tracks.clearance;
        let out = rule.min_out.max((rule.out + lane * rule.step).min(room(NORTH)).min(room(EAST)));
        let right = x + width;
        let left = right - rule.top - lane * rule.step;
        let low = y + rule.right + lane * rule.right_step;
        vec![
            Point { x: left, y },
            Point { x: left, y: y - out },
            Point { x: right + out, y: y - out },
            Point { x: right + out, y: low },
            Point { x: right, y: low },
        ]
    }

    /// Short lines first; longer ones join them.
    fn route_trunk(&mut self, list: &[usize], paths: &mut [Option<TrackPath>]) {
        let (nodes, lines) = (&self.input.nodes, &self.input.lines);
        let length = |at: usize| center_distance(&nodes[lines[at].from].rect, &nodes[lines[at].to].rect);
        let mut sorted = list.to_vec();
        sorted.sort_by(|one, other| ascending(length(*one), length(*other)).then(one.cmp(other)));
        for at in sorted {
            paths[at] = self.route(at);
        }
    }

    /// Reroutes each line, now that its crossings with other lines are known.
    fn avoid_crossings(&mut self, single: &[usize], members: &[(usize, Vec<usize>)], paths: &mut [Option<TrackPath>]) {
        let size = self.graph.size();
        self.search.crossings = Some(Crossings { horizontal: vec![0; size], vertical: vec![0; size] });
        for path in paths.iter().flatten() {
            self.count_crossings(path, 1);
        }
        let is_searched = |path: &Option<TrackPath>| path.as_ref().is_some_and(|path| path.edges.is_some());
        let has_no_waypoints = |at: usize| self.input.lines[at].via.is_empty();
        let cost = |at: usize| paths[at].as_ref().map_or(0.0, |path| path.cost);
        let mut searched: Vec<usize> =
            single.iter().copied().filter(|at| is_searched(&paths[*at]) && has_no_waypoints(*at)).collect();
        // The most expensive lines have the most to gain.
        searched.sort_by(|one, other| ascending(cost(*other), cost(*one)).then(one.cmp(other)));
        for at in searched {
            let Some(before) = paths[at].take() else { continue };
            self.count_crossings(&before, -1);
            let path = self.route(at).unwrap_or(before);
            self.count_crossings(&path, 1);
            paths[at] = Some(path);
        }
        for (trunk, list) in members {
            if list.iter().any(|at| !is_searched(&paths[*at])) {
                continue;
            }
            for path in list.iter().filter_map(|at| paths[*at].take()) {
                self.count_crossings(&path, -1);
            }
            self.trunk_edges.remove(trunk);
            self.route_trunk(list, paths);
            for path in list.iter().filter_map(|at| paths[*at].as_ref()) {
                self.count_crossings(path, 1);
            }
        }
        self.search.crossings = None;
    }

    /// Adds `by` to the line count of the vertices that a path passes straight through.
    fn count_crossings(&mut self, path: &TrackPath, by: i32) {
        let (Some(crossings), Some(edges)) = (&mut self.search.crossings, &path.edges) else { return };
        let bends: HashSet<u32> = path.points.iter().map(|point| self.graph.vertex_at(*point)).collect();
        let mut seen = HashSet::new();
        for &(one, other) in edges {
            let is_vertical = self.graph.x[one as usize] == self.graph.x[other as usize];
            let counts = if is_vertical { &mut crossings.vertical } else { &mut crossings.horizontal };
            for vertex in [one, other] {
                if vertex != NONE && !bends.contains(&vertex) && seen.insert(vertex) {
                    counts[vertex as usize] += by;
                }
            }
        }
    }

    /// Routes a line through its waypoints.
    fn route_via(&mut self, at: usize) -> Option<TrackPath> {
        let RouteLine { from, to, ref via, .. } = self.input.lines[at];
        let vertices = &self.graph.via_vertices[self.via[at]..self.via[at] + via.len()];
        let (points, ports) = path_through(&mut self.search, Ends { from, to, seed: at }, vertices)?;
        let pinned = vertices.iter().map(|vertex| self.graph.point(*vertex)).collect();
        Some(TrackPath { points, ports, pinned, ..TrackPath::default() })
    }
}

fn path_of(SearchResult { points, ports, cost, edges, .. }: SearchResult, trunk: Option<usize>) -> TrackPath {
    TrackPath { points, ports, trunk, cost, edges: Some(edges), ..TrackPath::default() }
}

/// The lines of each trunk, in the order of their first lines.
fn group_by(list: &[usize], key_of: impl Fn(usize) -> Option<usize>) -> Vec<(usize, Vec<usize>)> {
    let mut index = HashMap::new();
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for &at in list {
        let Some(key) = key_of(at) else { continue };
        let place = *index.entry(key).or_insert(groups.len());
        if place == groups.len() {
            groups.push((key, Vec::new()));
        }
        groups[place].1.push(at);
    }
    groups
}
