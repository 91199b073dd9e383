//! The routing graph: horizontal and vertical tracks in the gaps between cards and groups, exits from the sides of all nodes,
//! and their intersections.

use std::cmp::Ordering;

use super::{
    obstacles::Obstacles,
    polyline::round,
    rect_index::IntegerMap,
    rules::RULES,
    types::{EAST, INNER, NORTH, PORTS, RouteInput, RouteNode, SOUTH, WEST},
    work::Work,
};
use crate::geometry::{Point, Rect};

/// Instead of a vertex or a node: there is none.
pub(super) const NONE: u32 = u32::MAX;
/// Steps of [`Work`] for a track, for the memory that it takes.
const TRACK_STEPS: usize = 200;

/// A straight corridor without obstacles.
#[derive(Debug)]
struct Track {
    is_vertical: bool,
    /// The coordinate across the track.
    position: f64,
    low: f64,
    high: f64,
    vertices: Vec<u32>,
}

#[derive(Debug)]
struct Exit {
    node: usize,
    port: usize,
    /// Index of its track.
    track: usize,
}

/// Tracks are at multiples of half a pixel, so that equal positions compare equal.
fn on_half(value: f64) -> f64 {
    round(value * 2.0) / 2.0
}

#[derive(Debug)]
pub(super) struct TrackGraph<'r> {
    pub input: &'r RouteInput<'r>,
    pub obstacles: Obstacles<'r>,
    pub work: &'r Work,
    /// Coordinates of the vertices.
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    /// Four neighbors per vertex, in the order of the sides, or [`NONE`].
    pub neighbors: Vec<[u32; 4]>,
    /// The innermost group that contains each vertex, or [`NONE`].
    pub group: Vec<u32>,
    /// The vertices of each node's ports, or [`NONE`] if a port is blocked.
    pub ports: Vec<[u32; PORTS]>,
    /// The vertices of the `via` points, in order.
    pub via_vertices: Vec<u32>,
    tracks: Vec<Track>,
    by_position: IntegerMap<(i32, i32), Vec<usize>>,
    vertex_at: IntegerMap<(i32, i32), u32>,
}

impl<'r> TrackGraph<'r> {
    /// The graph of a map, or `None` if the map is too large to route.
    pub(super) fn of(input: &'r RouteInput<'r>, work: &'r Work) -> Option<Self> {
        let via: Vec<Point> = input.lines.iter().flat_map(|line| &line.via).copied().collect();
        let mut graph = Self {
            input,
            obstacles: Obstacles::new(&input.nodes, &via, work),
            work,
            x: Vec::new(),
            y: Vec::new(),
            neighbors: Vec::new(),
            group: Vec::new(),
            ports: vec![[NONE; PORTS]; input.nodes.len()],
            via_vertices: Vec::new(),
            tracks: Vec::new(),
            by_position: IntegerMap::default(),
            vertex_at: IntegerMap::default(),
        };
        let nodes: Vec<usize> = graph.obstacles.cards.iter().chain(&graph.obstacles.groups).copied().collect();
        for node in &nodes {
            graph.add_tracks_around(*node);
        }
        let exits = graph.add_exits(&nodes);
        for &Point { x, y } in &via {
            if work.is_spent() {
                return None;
            }
            graph.add_track(true, x, y);
            graph.add_track(false, y, x);
        }
        graph.connect(&exits, &via)?;
        (!work.is_spent()).then_some(graph)
    }

    /// Number of vertices.
    pub(super) fn size(&self) -> usize {
        self.x.len()
    }

    /// The vertex at a point, or [`NONE`].
    pub(super) fn vertex_at(&self, point: Point) -> u32 {
        self.vertex_at.get(&place_key(point.x, point.y)).copied().unwrap_or(NONE)
    }

    fn add_tracks_around(&mut self, node: usize) {
        let rect = self.input.nodes[node].rect;
        for side in [NORTH, EAST, SOUTH, WEST] {
            let gap = self.obstacles.gap(node, side);
            let distance = if gap <= RULES.tracks.wide_gap { gap / 2.0 } else { RULES.tracks.wide_offset };
            if distance < RULES.tracks.clearance {
                continue;
            }
            let is_vertical = side == EAST || side == WEST;
            let middle = if is_vertical { rect.y + rect.height / 2.0 } else { rect.x + rect.width / 2.0 };
            let outside = if is_ahead(side) { distance } else { -distance };
            self.add_track_unless_near(is_vertical, edge_of(&rect, side) + outside, middle);
        }
    }

    /// Skips tracks close to an existing track of the same extent.
    fn add_track_unless_near(&mut self, is_vertical: bool, position: f64, along: f64) {
        let low = self.obstacles.reach(is_vertical, on_half(position), along, false);
        let high = self.obstacles.reach(is_vertical, on_half(position), along, true);
        let is_covered = |at: &usize| {
            let track = &self.tracks[*at];
            track.low <= along && along <= track.high && track.low <= low + 1.0 && track.high >= high - 1.0
        };
        let mut shift = 0.5;
        while shift <= RULES.tracks.merge_distance {
            for other in [position - shift, position + shift] {
                let same = self.by_position.get(&track_key(is_vertical, on_half(other)));
                if same.is_some_and(|same| same.iter().any(is_covered)) {
                    return;
                }
            }
            shift += 0.5;
        }
        self.add_track(is_vertical, position, along);
    }

    fn add_track(&mut self, is_vertical: bool, wanted: f64, along: f64) {
        if !self.work.spend(TRACK_STEPS) {
            return;
        }
        let position = on_half(wanted);
        let same = self.by_position.entry(track_key(is_vertical, position)).or_default();
        if same.iter().any(|at| self.tracks[*at].low <= along && along <= self.tracks[*at].high) {
            return;
        }
        let low = self.obstacles.reach(is_vertical, position, along, false);
        let high = self.obstacles.reach(is_vertical, position, along, true);
        if high - low < 2.0 {
            return;
        }
        same.push(self.tracks.len());
        self.tracks.push(Track { is_vertical, position, low, high, vertices: Vec::new() });
    }

    /// Tracks that leave nodes at right angles.
    fn add_exits(&mut self, nodes: &[usize]) -> Vec<Exit> {
        let mut exits = Vec::new();
        for &node in nodes {
            let rect = &self.input.nodes[node];
            let ports: &[usize] =
                if rect.is_group { &[NORTH, EAST, SOUTH, WEST, INNER] } else { &[NORTH, EAST, SOUTH, WEST] };
            for &port in ports {
                let Point { x, y } = port_point(rect, port);
                let is_vertical = port != EAST && port != WEST;
                let (position, from) = if is_vertical { (x, y) } else { (y, x) };
                let outside = if is_ahead(port) { 0.5 } else { -0.5 };
                let end = self.obstacles.reach(is_vertical, position, from + outside, is_ahead(port));
                if (end - from).abs() < RULES.tracks.min_exit {
                    continue;
                }
                exits.push(Exit { node, port, track: self.tracks.len() });
                let (low, high) = (from.min(end), from.max(end));
                self.tracks.push(Track { is_vertical, position, low, high, vertices: Vec::new() });
            }
        }
        exits
    }

    fn connect(&mut self, exits: &[Exit], via: &[Point]) -> Option<()> {
        self.intersect()?;
        self.via_vertices = via.iter().map(|point| self.vertex(on_half(point.x), on_half(point.y))).collect();
        for Exit { node, port, track } in exits {
            let Point { x, y } = port_point(&self.input.nodes[*node], *port);
            let vertex = self.vertex(x, y);
            self.tracks[*track].vertices.push(vertex);
            self.ports[*node][*port] = vertex;
        }
        self.neighbors = vec![[NONE; 4]; self.size()];
        self.vertex_at.shrink_to_fit();
        for track in std::mem::take(&mut self.tracks) {
            self.link_along(track);
        }
        self.by_position = IntegerMap::default();
        self.group = self.groups_of_vertices();
        Some(())
    }

    fn intersect(&mut self) -> Option<()> {
        let mut vertical: Vec<usize> = (0..self.tracks.len()).filter(|at| self.tracks[*at].is_vertical).collect();
        vertical.sort_by(|one, other| ascending(self.tracks[*one].position, self.tracks[*other].position));
        let positions: Vec<f64> = vertical.iter().map(|at| self.tracks[*at].position).collect();
        for at in 0..self.tracks.len() {
            let Track { is_vertical, position: y, low, high, .. } = self.tracks[at];
            if is_vertical {
                continue;
            }
            let first = positions.partition_point(|x| *x < low);
            let crossed = positions[first..].partition_point(|x| *x <= high);
            if !self.work.spend(crossed) {
                return None;
            }
            for place in first..first + crossed {
                let other = vertical[place];
                if self.tracks[other].low > y || y > self.tracks[other].high {
                    continue;
                }
                let vertex = self.vertex(positions[place], y);
                self.tracks[at].vertices.push(vertex);
                self.tracks[other].vertices.push(vertex);
            }
            if self.x.len() > RULES.limits.vertices {
                return None;
            }
        }
        Some(())
    }

    fn vertex(&mut self, x: f64, y: f64) -> u32 {
        let next = self.x.len() as u32;
        let vertex = *self.vertex_at.entry(place_key(x, y)).or_insert(next);
        if vertex == next {
            self.x.push(x);
            self.y.push(y);
        }
        vertex
    }

    fn link_along(&mut self, Track { is_vertical, mut vertices, .. }: Track) {
        let along = if is_vertical { &self.y } else { &self.x };
        vertices.sort_by(|one, other| ascending(along[*one as usize], along[*other as usize]));
        let (back, ahead) = if is_vertical { (NORTH, SOUTH) } else { (WEST, EAST) };
        for pair in vertices.windows(2).filter(|pair| pair[0] != pair[1]) {
            self.link(pair[0], ahead, pair[1]);
            self.link(pair[1], back, pair[0]);
        }
    }

    /// If two tracks overlap, keeps the closer neighbor.
    fn link(&mut self, from: u32, side: usize, to: u32) {
        let known = self.neighbors[from as usize][side];
        if known == NONE || self.distance(from, to) < self.distance(from, known) {
            self.neighbors[from as usize][side] = to;
        }
    }

    pub(super) fn point(&self, vertex: u32) -> Point {
        Point { x: self.x[vertex as usize], y: self.y[vertex as usize] }
    }

    pub(super) fn distance(&self, one: u32, other: u32) -> f64 {
        let (one, other) = (one as usize, other as usize);
        (self.x[one] - self.x[other]).abs() + (self.y[one] - self.y[other]).abs()
    }

    fn groups_of_vertices(&self) -> Vec<u32> {
        let mut groups = vec![NONE; self.size()];
        let mut by_x: Vec<u32> = (0..self.size() as u32).collect();
        by_x.sort_by(|one, other| ascending(self.x[*one as usize], self.x[*other as usize]));
        // Outer groups come before nested groups.
        for &node in &self.obstacles.groups {
            let rect = &self.input.nodes[node].rect;
            let first = by_x.partition_point(|vertex| self.x[*vertex as usize] < rect.x);
            let count = by_x[first..].partition_point(|vertex| self.x[*vertex as usize] < rect.right());
            if !self.work.spend(count) {
                break;
            }
            for &vertex in &by_x[first..first + count] {
                let Point { x, y } = self.point(vertex);
                if x > rect.x && y > rect.y && y < rect.bottom() {
                    groups[vertex as usize] = node as u32;
                }
            }
        }
        groups
    }
}

/// Compares coordinates, which are numbers.
pub(super) fn ascending(one: f64, other: f64) -> Ordering {
    one.partial_cmp(&other).unwrap_or(Ordering::Equal)
}

/// The point where a line leaves a node.
pub(super) fn port_point(node: &RouteNode, port: usize) -> Point {
    let Rect { x, y, width, height } = node.rect;
    match port {
        INNER => Point { x: x + RULES.tracks.inner_port.x, y: y + RULES.tracks.inner_port.y },
        NORTH => Point { x: x + width / 2.0, y },
        SOUTH => Point { x: x + width / 2.0, y: y + height },
        WEST => Point { x, y: y + height / 2.0 },
        _ => Point { x: x + width, y: y + height / 2.0 },
    }
}

/// The coordinate of a side: x for left and right, y for top and bottom.
pub(super) fn edge_of(rect: &Rect, port: usize) -> f64 {
    match port {
        NORTH => rect.y,
        SOUTH => rect.bottom(),
        INNER => rect.y + RULES.tracks.inner_port.y,
        WEST => rect.x,
        _ => rect.right(),
    }
}

/// Whether a port leads toward greater coordinates.
fn is_ahead(port: usize) -> bool {
    port != NORTH && port != WEST
}

fn track_key(is_vertical: bool, position: f64) -> (i32, i32) {
    (i32::from(is_vertical), (position * 2.0) as i32)
}

fn place_key(x: f64, y: f64) -> (i32, i32) {
    (round(x * 2.0) as i32, round(y * 2.0) as i32)
}
