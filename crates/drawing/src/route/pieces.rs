//! The straight pieces of paths between two bends, and how far each piece can be shifted.

use super::{
    obstacles::Obstacles,
    rules::RULES,
    types::{RouteLine, TrackPath},
};
use crate::geometry::{Point, Rect};

#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Index of the path.
    pub path: usize,
    /// Index within the path.
    pub at: usize,
    pub is_vertical: bool,
    /// The coordinate across the piece, and its extent along the axis.
    pub position: f64,
    pub low: f64,
    pub high: f64,
    /// The range of allowed positions.
    pub min: f64,
    pub max: f64,
    /// The position after spreading.
    pub offset: f64,
}

pub(super) fn pieces_of(points: &[Point], path: usize) -> impl Iterator<Item = Piece> {
    points.windows(2).enumerate().map(move |(at, pair)| {
        let (a, b) = (pair[0], pair[1]);
        let is_vertical = a.x == b.x;
        let position = if is_vertical { a.x } else { a.y };
        let (one, other) = if is_vertical { (a.y, b.y) } else { (a.x, b.x) };
        Piece {
            path,
            at,
            is_vertical,
            position,
            low: one.min(other),
            high: one.max(other),
            min: position,
            max: position,
            offset: position,
        }
    })
}

/// Limits a piece to positions that keep clear of cards and groups.
pub(super) fn set_range(obstacles: &Obstacles<'_>, piece: &mut Piece, path: &TrackPath, line: &RouteLine<'_>) {
    let rule = &RULES.spread;
    if path.pinned.iter().any(|point| lies_on(piece, *point)) {
        return;
    }
    let last = path.points.len() - 2;
    piece.min = piece.position - rule.reach;
    piece.max = piece.position + rule.reach;
    let source = obstacles.nodes[line.from].rect;
    let target = obstacles.nodes[line.to].rect;
    if piece.at + 1 == last {
        keep_clear(piece, &target, false, space_before(piece, &target));
    }
    if piece.at == 1 {
        keep_clear(piece, &source, false, space_before(piece, &source).min(rule.start_space));
    }
    keep_clear_of_all(obstacles, piece, extent_of(piece, &path.points, last));
    if piece.at == 0 {
        keep_on_side(piece, &source);
    }
    if piece.at == last {
        keep_on_side(piece, &target);
    }
}

/// The extent in which obstacles are considered: slightly longer than the piece, because its bends may also move.
fn extent_of(piece: &Piece, points: &[Point], last: usize) -> (f64, f64) {
    let (a, b) = (points[piece.at], points[piece.at + 1]);
    let is_ahead = if piece.is_vertical { b.y > a.y } else { b.x > a.x };
    let (low_end, high_end) = if is_ahead { (0, last) } else { (last, 0) };
    let ahead = RULES.spread.look_ahead;
    let low = if piece.at == low_end { 1.0 } else { -ahead };
    let high = if piece.at == high_end { -1.0 } else { ahead };
    (piece.low + low, piece.high + high)
}

fn keep_clear_of_all(obstacles: &Obstacles<'_>, piece: &mut Piece, (low, high): (f64, f64)) {
    if high <= low {
        return;
    }
    let rule = &RULES.spread;
    let (from, to) = (piece.position - rule.reach, piece.position + rule.reach);
    let (left, top, right, bottom) = if piece.is_vertical { (from, low, to, high) } else { (low, from, high, to) };
    obstacles.visit_solid(left, top, right, bottom, |rect, _| keep_clear(piece, rect, false, rule.card_padding));
    obstacles.visit_groups(left, top, right, bottom, |rect, _| keep_clear(piece, rect, true, rule.group_padding));
}

/// Keeps a piece on its side of a card, and prevents it from crossing a group's border sideways.
fn keep_clear(piece: &mut Piece, rect: &Rect, is_group: bool, padding: f64) {
    let (near, far) = across(piece, rect);
    let middle = f64::midpoint(near, far);
    if is_group || piece.position <= middle {
        keep_clear_of_wall(piece, near, padding);
    }
    if is_group || piece.position > middle {
        keep_clear_of_wall(piece, far, padding);
    }
}

fn keep_clear_of_wall(piece: &mut Piece, wall: f64, padding: f64) {
    let position = piece.position;
    if wall >= position {
        piece.max = piece.max.min(position.max(wall - padding));
    } else {
        piece.min = piece.min.max(position.min(wall + padding));
    }
}

/// Leaves space for the arrowhead in front of the target card.
fn space_before(piece: &Piece, rect: &Rect) -> f64 {
    let (near, far) = across(piece, rect);
    let distance = (near - piece.position).max(piece.position - far);
    RULES.spread.card_padding.max(RULES.spread.arrow_space.min(distance * 0.6))
}

/// Keeps the ends of a line away from the corners of a card.
fn keep_on_side(piece: &mut Piece, rect: &Rect) {
    let (near, far) = across(piece, rect);
    let corner = RULES.spread.corner_of_card;
    piece.min = piece.position.min(piece.min.max(near + corner));
    piece.max = piece.position.max(piece.max.min(far - corner));
}

/// The extent of a rectangle across a piece.
fn across(piece: &Piece, rect: &Rect) -> (f64, f64) {
    if piece.is_vertical { (rect.x, rect.right()) } else { (rect.y, rect.bottom()) }
}

fn lies_on(piece: &Piece, Point { x, y }: Point) -> bool {
    let (across, along) = if piece.is_vertical { (x, y) } else { (y, x) };
    across == piece.position && along >= piece.low && along <= piece.high
}
