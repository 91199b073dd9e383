//! Spreads lines that share a track, keeping distance from each other and from cards.

use std::collections::HashSet;

use super::{
    obstacles::Obstacles,
    ordering::{SpreadInput, Strand, rank_strands, strands_of},
    pieces::{Piece, pieces_of, set_range},
    polyline::simplify,
    rect_index::IntegerMap,
    rules::RULES,
    track_graph::{ascending, edge_of},
    types::{RouteInput, TrackPath},
    work::Work,
};
use crate::geometry::Point;

/// The polylines of the paths of all lines, or `None` if that takes too much work.
pub(super) fn spread(
    input: &RouteInput<'_>,
    obstacles: &Obstacles<'_>,
    paths: &[Option<TrackPath>],
    work: &Work,
) -> Option<Vec<Option<Vec<Point>>>> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut first = Vec::with_capacity(paths.len());
    for (at, path) in paths.iter().enumerate() {
        first.push(pieces.len());
        pieces.extend(path.iter().flat_map(|path| pieces_of(&path.points, at)));
    }
    for piece in &mut pieces {
        if let Some(path) = paths[piece.path].as_ref().filter(|path| !path.is_fixed) {
            set_range(obstacles, piece, path, &input.lines[piece.path]);
        }
    }
    for is_vertical in [true, false] {
        let track: Vec<usize> = (0..pieces.len()).filter(|at| pieces[*at].is_vertical == is_vertical).collect();
        let strands = spread_axis(track, &SpreadInput { paths, pieces: &pieces, first: &first, work });
        if work.is_spent() {
            return None;
        }
        for Strand { pieces: placed, offset, .. } in strands {
            for at in placed {
                pieces[at].offset = offset;
            }
        }
    }
    let polyline = |at: usize, path: &TrackPath| {
        if path.is_fixed {
            return Some(path.points.clone());
        }
        let line = &input.lines[at];
        let start = edge_of(&input.nodes[line.from].rect, path.ports.0);
        let end = edge_of(&input.nodes[line.to].rect, path.ports.1);
        let count = path.points.len().saturating_sub(1);
        let points = points_of(&pieces[first[at]..first[at] + count], start, end);
        // Nodes that touch can meet in a point, which is not a line.
        (points.len() > 1).then_some(points)
    };
    Some(paths.iter().enumerate().map(|(at, path)| polyline(at, path.as_ref()?)).collect())
}

/// The polyline through spread pieces, from node edge to node edge.
fn points_of(pieces: &[Piece], start: f64, end: f64) -> Vec<Point> {
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return Vec::new() };
    let at = |piece: &Piece, along: f64| {
        if piece.is_vertical { Point { x: piece.offset, y: along } } else { Point { x: along, y: piece.offset } }
    };
    let bends = pieces.windows(2).map(|pair| at(&pair[1], pair[0].offset));
    simplify(std::iter::once(at(first, start)).chain(bends).chain([at(last, end)]))
}

fn spread_axis(mut track: Vec<usize>, input: &SpreadInput<'_>) -> Vec<Strand> {
    let pieces = input.pieces;
    track.sort_by(|one, other| {
        let (one, other) = (&pieces[*one], &pieces[*other]);
        ascending(one.position, other.position).then(ascending(one.low, other.low)).then(one.path.cmp(&other.path))
    });
    let mut strands: Vec<Strand> = Vec::new();
    let mut start = 0;
    while start < track.len() {
        let position = pieces[track[start]].position;
        let count = track[start..].iter().take_while(|at| pieces[**at].position - position < 0.75).count();
        let mut same = strands_of(&track[start..start + count], input);
        rank_strands(&mut same, input);
        strands.append(&mut same);
        start += count;
    }
    place_strands(&mut strands, input.work);
    strands
}

/// Strands that run in parallel: for each strand, those on each side of it.
struct Neighborhood {
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
}

/// Places strands in rank order, `distance` apart, or closer if there is not enough space.
fn place_strands(strands: &mut [Strand], work: &Work) {
    strands.sort_by(|one, other| {
        ascending(one.position, other.position)
            .then(one.rank.cmp(&other.rank))
            .then(one.first_path.cmp(&other.first_path))
    });
    let neighbors = neighborhood(strands, work);
    if work.is_spent() {
        return;
    }
    let gaps = gaps_that_fit(strands, &neighbors, work);
    let (high, _) = upper_bounds(strands, &neighbors, &gaps);
    let (before, after) = count_beside(strands, &neighbors);
    for at in 0..strands.len() {
        let least = neighbors.before[at]
            .iter()
            .fold(strands[at].min, |least: f64, other| least.max(strands[*other].offset + gap_of(&gaps, at, *other)));
        let strand = &mut strands[at];
        let wanted = strand.position + f64::from(before[at] - after[at]) / 2.0 * gaps[at];
        let free = wanted.max(least).min(high[at]);
        strand.offset = strand.max.min(strand.min.max(free));
    }
}

fn gap_of(gaps: &[f64], one: usize, other: usize) -> f64 {
    gaps[one].min(gaps[other])
}

fn neighborhood(strands: &[Strand], work: &Work) -> Neighborhood {
    const CELL: f64 = 200.0;
    let rule = &RULES.spread;
    let cell = |value: f64| (value / CELL).floor() as i32;
    let mut cells: IntegerMap<i32, Vec<usize>> = IntegerMap::default();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); strands.len()];
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); strands.len()];
    for (at, strand) in strands.iter().enumerate() {
        let mut seen = HashSet::new();
        for cell in cell(strand.low - rule.touch)..=cell(strand.high + rule.touch) {
            let known = cells.entry(cell).or_default();
            for &index in known.iter().rev() {
                let other = &strands[index];
                if strand.position - other.position > 2.0 * rule.reach + rule.distance {
                    break;
                }
                if !work.spend(4) {
                    return Neighborhood { before, after };
                }
                if may_meet(strand, other) && seen.insert(index) {
                    before[at].push(index);
                    after[index].push(at);
                }
            }
            known.push(at);
            if !work.spend(4) {
                return Neighborhood { before, after };
            }
        }
    }
    Neighborhood { before, after }
}

fn may_meet(strand: &Strand, other: &Strand) -> bool {
    let rule = &RULES.spread;
    let is_same = strand.trunk.is_some() && strand.trunk == other.trunk && strand.position == other.position;
    !is_same
        && strand.low < other.high + rule.touch
        && other.low < strand.high + rule.touch
        && other.max + rule.distance > strand.min
}

/// Counts the strands of the same track on each side of each strand.
fn count_beside(strands: &[Strand], neighbors: &Neighborhood) -> (Vec<i32>, Vec<i32>) {
    let mut before = vec![0; strands.len()];
    let mut after = vec![0; strands.len()];
    let is_on_track = |one: usize, other: usize| strands[one].position == strands[other].position;
    for at in 0..strands.len() {
        for &other in neighbors.before[at].iter().filter(|other| is_on_track(at, **other)) {
            before[at] = before[at].max(before[other] + 1);
        }
    }
    for at in (0..strands.len()).rev() {
        for &other in neighbors.after[at].iter().filter(|other| is_on_track(at, **other)) {
            after[at] = after[at].max(after[other] + 1);
        }
    }
    (before, after)
}

const MAX_ROUNDS: usize = 10;

/// The distance that each strand can keep: less than `distance` if a row of strands does not have enough space.
fn gaps_that_fit(strands: &[Strand], neighbors: &Neighborhood, work: &Work) -> Vec<f64> {
    let mut gaps = vec![RULES.spread.distance; strands.len()];
    for _ in 0..MAX_ROUNDS {
        let (low, previous) = lower_bounds(strands, neighbors, &gaps);
        let (high, next) = upper_bounds(strands, neighbors, &gaps);
        let mut is_tight = false;
        for at in 0..strands.len() {
            if low[at] <= high[at] + 0.01 {
                continue;
            }
            is_tight |= narrow_row(strands, at, (&previous, &next), &mut gaps, work);
        }
        if !is_tight || work.is_spent() {
            break;
        }
    }
    gaps
}

/// The strand that limits each strand.
type Links = Vec<Option<usize>>;

/// Distributes the available space in the row that contains a strand. Returns whether anything changed.
fn narrow_row(
    strands: &[Strand],
    at: usize,
    (previous, next): (&Links, &Links),
    gaps: &mut [f64],
    work: &Work,
) -> bool {
    let chain = |links: &Links| std::iter::successors(links[at], |at| links[*at]).collect::<Vec<usize>>();
    let (before, after) = (chain(previous), chain(next));
    let (first, last) = (before.last().copied().unwrap_or(at), after.last().copied().unwrap_or(at));
    let count = before.len() + after.len();
    if !work.spend(count) {
        return false;
    }
    let room = (strands[last].max - strands[first].min).max(0.0);
    let gap = room / count.max(1) as f64;
    let mut has_changed = false;
    for one in before.into_iter().chain([at]).chain(after) {
        if gaps[one] > gap + 1e-6 {
            gaps[one] = gap;
            has_changed = true;
        }
    }
    has_changed
}

/// The smallest allowed position of each strand, and the strand that limits it.
fn lower_bounds(strands: &[Strand], neighbors: &Neighborhood, gaps: &[f64]) -> (Vec<f64>, Links) {
    let mut low = vec![0.0; strands.len()];
    let mut previous = vec![None; strands.len()];
    for at in 0..strands.len() {
        let mut value = strands[at].min;
        for &other in &neighbors.before[at] {
            let bound = low[other] + gap_of(gaps, at, other);
            if bound > value {
                value = bound;
                previous[at] = Some(other);
            }
        }
        low[at] = value;
    }
    (low, previous)
}

fn upper_bounds(strands: &[Strand], neighbors: &Neighborhood, gaps: &[f64]) -> (Vec<f64>, Links) {
    let mut high = vec![0.0; strands.len()];
    let mut next = vec![None; strands.len()];
    for at in (0..strands.len()).rev() {
        let mut value = strands[at].max;
        for &other in &neighbors.after[at] {
            let bound = high[other] - gap_of(gaps, at, other);
            if bound < value {
                value = bound;
                next[at] = Some(other);
            }
        }
        high[at] = value;
    }
    (high, next)
}
