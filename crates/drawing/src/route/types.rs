//! Input and output of the router, which handles only rectangles and lines.

use crate::geometry::{Point, Rect};

/// A card or a group.
#[derive(Debug, Clone, Default)]
pub(crate) struct RouteNode {
    pub rect: Rect,
    /// Lines may cross the border of a group, but not a card.
    pub is_group: bool,
    /// Index of the enclosing group.
    pub parent: Option<usize>,
    /// Parts of a group's title that lines must not cross: the name and the collapse button of the web client.
    pub titles: Vec<Rect>,
}

/// A line between two nodes.
#[derive(Debug, Clone, Default)]
pub(crate) struct RouteLine<'m> {
    /// Indexes of nodes.
    pub from: usize,
    pub to: usize,
    pub type_id: &'m str,
    /// Lines with labels never join a trunk.
    pub has_label: bool,
    /// Index among the lines between the same two nodes.
    pub lane: usize,
    /// Waypoints of the line, in order.
    pub via: Vec<Point>,
    /// Straight lines are not routed.
    pub is_straight: bool,
}

#[derive(Debug, Default)]
pub(crate) struct RouteInput<'m> {
    pub nodes: Vec<RouteNode>,
    pub lines: Vec<RouteLine<'m>>,
}

/// The sides of a node, and the port below a group's title for lines to the contents of the group.
pub(super) const NORTH: usize = 0;
pub(super) const EAST: usize = 1;
pub(super) const SOUTH: usize = 2;
pub(super) const WEST: usize = 3;
pub(super) const INNER: usize = 4;
pub(super) const PORTS: usize = 5;

/// An edge of the track graph: its vertices, the smaller one first.
pub(super) type Edge = (u32, u32);

/// The path of a line along tracks, before lines on the same track are spread.
#[derive(Debug, Clone, Default)]
pub(super) struct TrackPath {
    pub points: Vec<Point>,
    /// The ports at its start and end.
    pub ports: (usize, usize),
    /// Lines of the same trunk are drawn on top of each other.
    pub trunk: Option<usize>,
    /// Fixed paths, such as loops, do not move; other lines are spread around them.
    pub is_fixed: bool,
    /// Points that must not be moved by spreading.
    pub pinned: Vec<Point>,
    pub cost: f64,
    /// The edges of the track graph that the path uses, if it was searched.
    pub edges: Option<Vec<Edge>>,
}
