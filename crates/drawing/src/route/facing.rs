//! Straight lines between nodes that face each other.

use super::{
    obstacles::Obstacles,
    rules::RULES,
    types::{EAST, NORTH, SOUTH, TrackPath, WEST},
};
use crate::geometry::{Point, Rect};

/// A straight line between two nodes, or `None` if the nodes do not face each other or something is in between.
pub(super) fn facing_path(obstacles: &Obstacles<'_>, from: usize, to: usize) -> Option<TrackPath> {
    between(obstacles, from, to, false).or_else(|| between(obstacles, from, to, true))
}

fn between(obstacles: &Obstacles<'_>, from: usize, to: usize, is_vertical: bool) -> Option<TrackPath> {
    let one = spans(&obstacles.nodes[from].rect, is_vertical);
    let other = spans(&obstacles.nodes[to].rect, is_vertical);
    let low = one.low.max(other.low);
    let high = one.high.min(other.high);
    // The minimum overlap of the two facing sides.
    if high - low < 2.0 * RULES.spread.corner_of_card + 4.0 {
        return None;
    }
    let is_ahead = other.near >= one.far;
    if !is_ahead && other.far > one.near {
        return None;
    }
    let position = f64::midpoint(low, high);
    let (start, end) = if is_ahead { (one.far, other.near) } else { (one.near, other.far) };
    if !is_free(obstacles, (from, to), is_vertical, position, (start.min(end), start.max(end))) {
        return None;
    }
    let at = |along: f64| if is_vertical { Point { x: position, y: along } } else { Point { x: along, y: position } };
    let (ahead, back) = if is_vertical { (SOUTH, NORTH) } else { (EAST, WEST) };
    let ports = if is_ahead { (ahead, back) } else { (back, ahead) };
    Some(TrackPath { points: vec![at(start), at(end)], ports, ..TrackPath::default() })
}

/// The extent of a rectangle along an axis (`near`, `far`) and across it (`low`, `high`).
struct Spans {
    near: f64,
    far: f64,
    low: f64,
    high: f64,
}

fn spans(rect: &Rect, is_vertical: bool) -> Spans {
    let Rect { x, y, .. } = *rect;
    if is_vertical {
        Spans { near: y, far: rect.bottom(), low: x, high: rect.right() }
    } else {
        Spans { near: x, far: rect.right(), low: y, high: rect.bottom() }
    }
}

fn is_free(
    obstacles: &Obstacles<'_>,
    (from, to): (usize, usize),
    is_vertical: bool,
    position: f64,
    (low, high): (f64, f64),
) -> bool {
    let clearance = RULES.tracks.clearance;
    let across = (position - clearance, position + clearance);
    let ((left, right), (top, bottom)) = if is_vertical { (across, (low, high)) } else { ((low, high), across) };
    let mut free = true;
    obstacles.visit_solid(left, top, right, bottom, |rect, owner| {
        if owner != from
            && owner != to
            && rect.x < right
            && rect.right() > left
            && rect.y < bottom
            && rect.bottom() > top
        {
            free = false;
        }
    });
    free
}
