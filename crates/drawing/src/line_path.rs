//! The geometry of lines that are not routed: straight, through waypoints, curves between parallel lines, and loops.

use super::{
    geometry::{Point, Rect},
    scene::{Line, Scene},
};

/// A polyline, or a Bézier curve with one or two control points.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LinePath {
    pub points: Vec<Point>,
    pub is_curve: bool,
}

/// Distance between parallel curves.
const LANE_DISTANCE: f64 = 26.0;
const LOOP_SIZE: f64 = 34.0;
/// Loops beyond this lane have the same size, because very large curves are expensive to draw.
const MAX_LOOP_LANE: f64 = 20.0;
/// Number of segments that approximate a curve.
const CURVE_PIECES: u32 = 16;

/// The path of a line without a route.
#[expect(clippy::cast_precision_loss, reason = "lanes are small numbers")]
pub(super) fn line_path(scene: &Scene<'_>, line: &Line<'_>) -> LinePath {
    let (from, to) = (&scene.nodes[line.from], &scene.nodes[line.to]);
    let (source, target) = (scene.rects[line.from], scene.rects[line.to]);
    if line.from == line.to {
        return own_loop(from.handle(source), line.lane as f64);
    }
    // Lines between a group and its contents start at the title of the group.
    let source_rect = if source.contains(&target) { from.handle(source) } else { source };
    let other = if target.contains(&source) { to.handle(target) } else { target };
    let (start, end) = (source_rect.center(), other.center());
    let via: Vec<Point> = line.via().collect();
    if let (Some(&first), Some(&last)) = (via.first(), via.last()) {
        let ends = (border(&source_rect, start, first), border(&other, end, last));
        let points = std::iter::once(ends.0).chain(via).chain([ends.1]).collect();
        return LinePath { points, is_curve: false };
    }
    if line.lanes == 1 {
        return LinePath {
            points: vec![border(&source_rect, start, end), border(&other, end, start)],
            is_curve: false,
        };
    }
    // The same side for both directions, so that opposite lines do not overlap.
    let turn = if line.from < line.to { 1.0 } else { -1.0 };
    let length = match (end.x - start.x).hypot(end.y - start.y) {
        0.0 => 1.0,
        length => length,
    };
    let offset = line.lane as f64 - (line.lanes as f64 - 1.0) / 2.0;
    let shift = turn * offset * LANE_DISTANCE * 2.0 / length;
    let control = Point {
        x: f64::midpoint(start.x, end.x) - (end.y - start.y) * shift,
        y: f64::midpoint(start.y, end.y) + (end.x - start.x) * shift,
    };
    let points = vec![border(&source_rect, start, control), control, border(&other, end, control)];
    LinePath { points, is_curve: true }
}

fn own_loop(Rect { x, y, width, .. }: Rect, lane: f64) -> LinePath {
    let size = LOOP_SIZE * (1.0 + lane.min(MAX_LOOP_LANE) * 0.6);
    let right = x + width;
    let points = vec![
        Point { x: right - 28.0, y },
        Point { x: right - 24.0, y: y - size * 1.4 },
        Point { x: right + size * 1.4, y: y + 16.0 },
        Point { x: right, y: y + 24.0 },
    ];
    LinePath { points, is_curve: true }
}

/// The intersection of a rectangle's border with the line from its center to a point.
fn border(rect: &Rect, middle: Point, to: Point) -> Point {
    let (dx, dy) = (to.x - middle.x, to.y - middle.y);
    let until = |size: f64, step: f64| if step == 0.0 { f64::INFINITY } else { size / 2.0 / step.abs() };
    let scale = until(rect.width, dx).min(until(rect.height, dy));
    // The other point is inside, so the line does not cross the border.
    let scale = if scale >= 1.0 || !scale.is_finite() { 0.5 } else { scale };
    Point { x: middle.x + dx * scale, y: middle.y + dy * scale }
}

impl LinePath {
    /// The path as a polyline.
    pub(super) fn flattened(&self) -> Vec<Point> {
        if !self.is_curve {
            return self.points.clone();
        }
        (0..=CURVE_PIECES).filter_map(|at| curve_point(&self.points, f64::from(at) / f64::from(CURVE_PIECES))).collect()
    }
}

/// A point on a Bézier curve, computed with de Casteljau's algorithm.
fn curve_point(points: &[Point], t: f64) -> Option<Point> {
    let mut left = points.to_vec();
    while left.len() > 1 {
        left = left
            .windows(2)
            .map(|pair| Point {
                x: pair[0].x + (pair[1].x - pair[0].x) * t,
                y: pair[0].y + (pair[1].y - pair[0].y) * t,
            })
            .collect();
    }
    left.first().copied()
}
