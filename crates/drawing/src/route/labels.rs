//! Places relationship labels near the middle of their lines, without covering cards, titles or other labels, and if possible
//! without covering other lines and bends.

use super::{
    polyline::{diagonal_parts, hypot, polyline_length, segment_bounds, segment_hits},
    rect_index::RectIndex,
    rules::RULES,
    track_graph::ascending,
    types::RouteNode,
    work::Work,
};
use crate::{
    geometry::{Point, Rect},
    text::{Face, text_width},
};

/// A label and its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlacedLabel {
    pub rect: Rect,
    /// The text, in one or two rows.
    pub rows: Vec<String>,
}

/// The label of a line.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LabelText<'m> {
    /// Empty if the line has no label.
    pub text: &'m str,
    /// A chosen position: a fraction of the line's length.
    pub part: Option<f64>,
    /// Whether it is placed even if it covers something.
    pub must: bool,
}

/// A possible layout of a text.
struct Shape {
    rows: Vec<String>,
    width: f64,
    height: f64,
    cost: f64,
}

/// Longer segments are indexed in parts.
const MAX_SEGMENT: f64 = 200.0;
/// Polylines with more points than this are treated as curves, whose bends are ignored.
const CURVE_POINTS: usize = 12;
const BLOCKED: f64 = 100.0;
/// Steps of [`Work`] for a part of a segment, for the memory that it takes.
const SEGMENT_STEPS: usize = 40;

pub(crate) struct LabelPlacer<'r> {
    polylines: &'r [Option<Vec<Point>>],
    solid: RectIndex<'r>,
    segments: RectIndex<'r>,
    /// The line and the ends of each part of a segment.
    segment_of: Vec<(usize, Point, Point)>,
    placed: RectIndex<'r>,
    work: &'r Work,
}

impl<'r> LabelPlacer<'r> {
    /// Lines without a polyline get no label.
    pub(crate) fn new(nodes: &[RouteNode], polylines: &'r [Option<Vec<Point>>], work: &'r Work) -> Self {
        let mut solid = RectIndex::new(256.0, work);
        for node in nodes {
            if node.is_group {
                node.titles.iter().for_each(|title| solid.add(*title));
            } else {
                solid.add(node.rect.expanded(RULES.labels.card_padding));
            }
        }
        let mut placer = Self {
            polylines,
            solid,
            segments: RectIndex::new(128.0, work),
            segment_of: Vec::new(),
            placed: RectIndex::new(128.0, work),
            work,
        };
        for (line, points) in polylines.iter().enumerate() {
            for pair in points.iter().flat_map(|points| points.windows(2)) {
                placer.add_segment(line, pair[0], pair[1]);
            }
        }
        placer
    }

    /// Places labels, starting with those that have the least space. Labels that would cover something get no place, unless they
    /// must be placed, and neither do those for which no work is left. Labels with a chosen position are always placed.
    pub(crate) fn place_all(mut self, texts: &[LabelText<'_>]) -> Vec<Option<PlacedLabel>> {
        let polylines = self.polylines;
        let points = |line: usize| polylines[line].as_deref();
        let lengths: Vec<f64> = (0..texts.len()).map(|line| points(line).map_or(0.0, polyline_length)).collect();
        let mut order: Vec<usize> =
            (0..texts.len()).filter(|line| !texts[*line].text.is_empty() && points(*line).is_some()).collect();
        order.sort_by(|one, other| {
            let rank = |line: usize| texts[line].part.is_none();
            rank(*one).cmp(&rank(*other)).then(ascending(lengths[*one], lengths[*other])).then(one.cmp(other))
        });
        let mut placed = vec![None; texts.len()];
        for line in order {
            let (Some(points), LabelText { text, part, must }) = (points(line), texts[line]) else { continue };
            let label = match part {
                Some(part) => label_at_part(points, text, part),
                None => self.place_on(points, text, line, must),
            };
            if self.work.is_spent() && part.is_none() && !must {
                continue;
            }
            if let Some(label) = &label {
                self.placed.add(label.rect.expanded(RULES.labels.label_padding));
            }
            placed[line] = label;
        }
        placed
    }

    /// The best position for a label on a polyline. If every position covers something, the least bad one if it `must` be placed,
    /// otherwise `None`. Labels may cover segments of their own `line`.
    fn place_on(&self, points: &[Point], text: &str, line: usize, must: bool) -> Option<PlacedLabel> {
        if points.len() < 2 {
            return None;
        }
        let mut best = None;
        let mut least = if must { f64::INFINITY } else { BLOCKED };
        for shape in shapes_of(text) {
            for (Point { x, y }, cost) in candidates(points, &shape) {
                if cost >= least {
                    continue;
                }
                let rect = Rect {
                    x: x - shape.width / 2.0,
                    y: y - shape.height / 2.0,
                    width: shape.width,
                    height: shape.height,
                };
                let total = cost + self.cover(&rect, line, least - cost);
                if total < least {
                    least = total;
                    best = Some(PlacedLabel { rect, rows: shape.rows.clone() });
                }
            }
        }
        best
    }

    /// The cost of covering other elements. Stops early once the cost reaches `enough`.
    fn cover(&self, rect: &Rect, line: usize, enough: f64) -> f64 {
        let mut cost = 0.0;
        for (at, blocking) in [&self.placed, &self.solid].into_iter().enumerate() {
            if at == 0 || cost < enough {
                blocking.visit_rect(rect, |other, _| {
                    if other.overlaps(rect) {
                        cost += BLOCKED;
                    }
                });
            }
        }
        if cost >= enough {
            return cost;
        }
        let wide = rect.expanded(1.0);
        let mut crossed: Vec<usize> = Vec::new();
        self.segments.visit_rect(&wide, |_, id| {
            let (other, a, b) = self.segment_of[id];
            if other != line && !crossed.contains(&other) && segment_hits(a, b, &wide) {
                crossed.push(other);
            }
        });
        cost + crossed.len() as f64 * RULES.labels.costs.line
    }

    fn add_segment(&mut self, line: usize, a: Point, b: Point) {
        for (start, end) in diagonal_parts(a, b, MAX_SEGMENT) {
            if !self.work.spend(SEGMENT_STEPS) {
                return;
            }
            self.segments.add(segment_bounds(start, end));
            self.segment_of.push((line, start, end));
        }
    }
}

/// The label at a fraction of a polyline's length.
fn label_at_part(points: &[Point], text: &str, part: f64) -> Option<PlacedLabel> {
    let at = point_along(points, part.clamp(0.0, 1.0) * polyline_length(points))?;
    let Shape { rows, width, height, .. } = shape_of(vec![truncated(text, RULES.labels.max_length)], 0.0);
    let rect = Rect { x: at.point.x - width / 2.0, y: at.point.y - height / 2.0, width, height };
    Some(PlacedLabel { rect, rows })
}

/// The text in one row, in two rows if it is wide, and truncated.
fn shapes_of(text: &str) -> Vec<Shape> {
    let rule = &RULES.labels;
    let full = truncated(text, rule.max_length);
    let mut shapes = vec![shape_of(vec![full.clone()], 0.0)];
    if shapes[0].width > rule.wrap_width
        && let Some(rows) = in_two_rows(&full)
    {
        shapes.push(shape_of(rows, rule.costs.wrapped));
    }
    if utf16_length(&full) > rule.short_length {
        shapes.push(shape_of(vec![truncated(&full, rule.short_length)], rule.costs.shortened));
    }
    shapes
}

fn shape_of(rows: Vec<String>, cost: f64) -> Shape {
    let rule = &RULES.labels;
    let width = rows.iter().map(|row| text_width(row, rule.font_size, Face::Name)).fold(0.0, f64::max);
    let height = rows.len() as f64 * rule.line_height + rule.vertical_padding;
    Shape { rows, width: width + rule.padding, height, cost }
}

/// Splits a text between two words so that the longer row is as short as possible.
fn in_two_rows(text: &str) -> Option<Vec<String>> {
    let spaces = text.match_indices(' ').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let best = spaces.min_by_key(|(one, other)| utf16_length(one).max(utf16_length(other)))?;
    Some(vec![best.0.to_owned(), best.1.to_owned()])
}

/// The length of a text in the web client.
fn utf16_length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// A text of at most `most` characters, ending with an ellipsis if it was longer.
fn truncated(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// Candidate positions for the center of a label with their costs, from the middle of the line outward.
fn candidates(points: &[Point], shape: &Shape) -> impl Iterator<Item = (Point, f64)> {
    let rule = &RULES.labels;
    let length = polyline_length(points);
    let count = (length / rule.step).floor().min(f64::from(rule.max_steps)).max(1.0);
    (0..=count as u32)
        .flat_map(move |step| {
            let outward = f64::from(step.div_ceil(2));
            let part = 0.5 + (if step % 2 == 1 { outward } else { -outward }) / count;
            if !(0.04..=0.96).contains(&part) {
                return [None, None, None];
            }
            let Some(here) = point_along(points, part * length) else { return [None, None, None] };
            let cost = shape.cost + place_cost(&here, shape, part, length);
            let Point { x, y } = here.point;
            if points.len() > CURVE_POINTS {
                return [Some((here.point, cost)), None, None];
            }
            let (dx, dy) =
                if here.is_vertical { (shape.width / 2.0 + 2.0, 0.0) } else { (0.0, shape.height / 2.0 + 1.0) };
            let beside = cost + rule.costs.beside;
            [
                Some((here.point, cost)),
                Some((Point { x: x + dx, y: y + dy }, beside)),
                Some((Point { x: x - dx, y: y - dy }, beside)),
            ]
        })
        .flatten()
}

fn place_cost(here: &PointAlong, shape: &Shape, part: f64, length: f64) -> f64 {
    let rule = &RULES.labels;
    let costs = &rule.costs;
    let room = if here.is_vertical { shape.height / 2.0 } else { shape.width / 2.0 };
    let to_end = part.min(1.0 - part) * length;
    (part - 0.5).abs() * costs.off_center * (length / 400.0).min(1.0)
        + if here.is_vertical { costs.vertical } else { 0.0 }
        + if here.to_bend < room + 4.0 { costs.bend } else { 0.0 }
        + if to_end < room + rule.end_space { costs.end } else { 0.0 }
}

struct PointAlong {
    point: Point,
    is_vertical: bool,
    /// Distance to the nearest bend.
    to_bend: f64,
}

fn point_along(points: &[Point], distance: f64) -> Option<PointAlong> {
    let mut left = distance;
    let last = points.len().checked_sub(1)?;
    let is_curve = points.len() > CURVE_POINTS;
    for at in 1..=last {
        let (a, b) = (points[at - 1], points[at]);
        let length = hypot(b.x - a.x, b.y - a.y);
        if left <= length || at == last {
            let t = if length > 0.0 { (left / length).min(1.0) } else { 0.0 };
            let before = if at > 1 && !is_curve { left } else { f64::INFINITY };
            let after = if at < last && !is_curve { length - left } else { f64::INFINITY };
            return Some(PointAlong {
                point: Point { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t },
                is_vertical: (b.y - a.y).abs() > (b.x - a.x).abs(),
                to_bend: before.min(after),
            });
        }
        left -= length;
    }
    Some(PointAlong { point: points[0], is_vertical: false, to_bend: 0.0 })
}
