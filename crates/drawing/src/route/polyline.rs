//! Geometry of polylines.

use crate::geometry::{Point, Rect};

/// Whether a segment passes through the interior of a rectangle.
pub(super) fn segment_hits(a: Point, b: Point, rect: &Rect) -> bool {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let mut range = (0.0, 1.0);
    clip(-dx, a.x - rect.x, &mut range)
        && clip(dx, rect.x + rect.width - a.x, &mut range)
        && clip(-dy, a.y - rect.y, &mut range)
        && clip(dy, rect.y + rect.height - a.y, &mut range)
        && range.1 > range.0
}

/// One step of Liang–Barsky clipping.
fn clip(p: f64, q: f64, range: &mut (f64, f64)) -> bool {
    if p == 0.0 {
        return q > 0.0;
    }
    let t = q / p;
    if p < 0.0 {
        range.0 = range.0.max(t);
    } else {
        range.1 = range.1.min(t);
    }
    range.0 <= range.1
}

/// A segment in parts of at most this length if it is diagonal: the bounding box of a long diagonal contains most of the map,
/// which makes an index useless.
pub(super) fn diagonal_parts(a: Point, b: Point, longest: f64) -> impl Iterator<Item = (Point, Point)> {
    let is_diagonal = a.x != b.x && a.y != b.y;
    let parts = if is_diagonal { (hypot(b.x - a.x, b.y - a.y) / longest).ceil() } else { 1.0 };
    let at = move |part: u32| Point {
        x: a.x + ((b.x - a.x) * f64::from(part)) / parts,
        y: a.y + ((b.y - a.y) * f64::from(part)) / parts,
    };
    (0..parts as u32).map(move |part| (at(part), at(part + 1)))
}

/// The rectangle spanned by two opposite corners.
pub(super) fn segment_bounds(a: Point, b: Point) -> Rect {
    Rect { x: a.x.min(b.x), y: a.y.min(b.y), width: (a.x - b.x).abs(), height: (a.y - b.y).abs() }
}

pub(super) fn polyline_length(points: &[Point]) -> f64 {
    points.windows(2).fold(0.0, |length, pair| length + hypot(pair[1].x - pair[0].x, pair[1].y - pair[0].y))
}

/// Removes duplicate points and points in the middle of straight segments.
pub(super) fn simplify(points: impl IntoIterator<Item = Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for point in points {
        match kept.as_slice() {
            [.., last] if *last == point => {}
            [.., before, last]
                if (before.x == last.x && last.x == point.x) || (before.y == last.y && last.y == point.y) =>
            {
                kept.pop();
                kept.push(point);
            }
            _ => kept.push(point),
        }
    }
    kept
}

/// Whether one node contains the other, or both have the same position.
pub(super) fn is_nested(one: &Rect, other: &Rect) -> bool {
    one.contains(other) || other.contains(one)
}

/// Manhattan distance between the centers.
pub(super) fn center_distance(one: &Rect, other: &Rect) -> f64 {
    (one.x + one.width / 2.0 - other.x - other.width / 2.0).abs()
        + (one.y + one.height / 2.0 - other.y - other.height / 2.0).abs()
}

/// The length of a vector, with the same rounding errors as in the web client: otherwise, of two equally good places of a label,
/// another one could be chosen.
pub(super) fn hypot(x: f64, y: f64) -> f64 {
    let longest = x.abs().max(y.abs());
    if longest == 0.0 {
        return 0.0;
    }
    let (mut sum, mut compensation) = (0.0_f64, 0.0);
    for side in [x, y] {
        let part = side.abs() / longest;
        let summand = part * part - compensation;
        let preliminary = sum + summand;
        compensation = (preliminary - sum) - summand;
        sum = preliminary;
    }
    sum.sqrt() * longest
}

/// Rounds like `Math.round` of the web client: halves go up, also those of negative numbers.
pub(super) fn round(value: f64) -> f64 {
    let below = value.floor();
    if value - below >= 0.5 { below + 1.0 } else { below }
}
