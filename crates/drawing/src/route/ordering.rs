//! Orders the lines on a track to minimize crossings where they diverge.

use std::collections::HashMap;

use super::{pieces::Piece, rules::RULES, track_graph::ascending, types::TrackPath, work::Work};
use crate::geometry::Point;

/// Pieces that are placed together: a single piece, or touching pieces of one trunk.
#[derive(Debug)]
pub(super) struct Strand {
    /// Indexes of pieces.
    pub pieces: Vec<usize>,
    pub trunk: Option<usize>,
    pub position: f64,
    pub low: f64,
    pub high: f64,
    pub min: f64,
    pub max: f64,
    /// Rank among the strands of the same track.
    pub rank: usize,
    /// The position after spreading.
    pub offset: f64,
    /// The path of its first piece.
    pub first_path: usize,
}

pub(super) struct SpreadInput<'s> {
    pub paths: &'s [Option<TrackPath>],
    /// The pieces of all paths.
    pub pieces: &'s [Piece],
    /// The index of each path's first piece.
    pub first: &'s [usize],
    pub work: &'s Work,
}

impl SpreadInput<'_> {
    fn points(&self, path: usize) -> &[Point] {
        self.paths[path].as_ref().map_or(&[], |path| &path.points)
    }
}

/// Maximum number of pairs of pieces to compare for two trunks.
const MAX_COMPARED: usize = 24;
/// Maximum number of bends over which to compare two lines.
const MAX_BENDS: usize = 40;

/// Groups the pieces on one track into strands, sorted by start.
pub(super) fn strands_of(track: &[usize], input: &SpreadInput<'_>) -> Vec<Strand> {
    let mut strands: Vec<Strand> = Vec::new();
    let mut open: HashMap<usize, usize> = HashMap::new();
    for &index in track {
        let piece = &input.pieces[index];
        let trunk = input.paths[piece.path].as_ref().and_then(|path| path.trunk);
        let known = trunk.and_then(|trunk| open.get(&trunk)).map(|at| &mut strands[*at]);
        if let Some(known) = known.filter(|known| piece.low <= known.high + 1.0) {
            known.pieces.push(index);
            known.high = known.high.max(piece.high);
            known.min = known.min.max(piece.min);
            known.max = known.max.min(piece.max);
            continue;
        }
        if let Some(trunk) = trunk {
            open.insert(trunk, strands.len());
        }
        let Piece { path, position, low, high, min, max, .. } = *piece;
        strands.push(Strand {
            pieces: vec![index],
            trunk,
            position,
            low,
            high,
            min,
            max,
            rank: 0,
            offset: position,
            first_path: path,
        });
    }
    strands
}

/// Ranks the strands of one track according to the preference of most pairs.
pub(super) fn rank_strands(strands: &mut [Strand], input: &SpreadInput<'_>) {
    if strands.len() == 1 {
        return;
    }
    strands.sort_by(|one, other| ascending(one.low, other.low).then(ascending(one.high, other.high)));
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); strands.len()];
    let mut waiting = vec![0_i32; strands.len()];
    let mut scores = vec![0_i32; strands.len()];
    for i in 0..strands.len() {
        for j in i + 1..strands.len() {
            let (one, other) = (&strands[i], &strands[j]);
            if other.low > one.high + RULES.spread.touch || !input.work.spend(20) {
                break;
            }
            let side = preferred_side(one, other, input);
            if side == 0 {
                continue;
            }
            scores[i] += side;
            scores[j] -= side;
            let (first, second) = if side < 0 { (i, j) } else { (j, i) };
            after[first].push(second);
            waiting[second] += 1;
        }
    }
    rank_by_precedence(strands, &after, &mut waiting, &scores, input.work);
}

/// Topological sort. Cycles are broken at the strand with the fewest predecessors.
fn rank_by_precedence(strands: &mut [Strand], after: &[Vec<usize>], waiting: &mut [i32], scores: &[i32], work: &Work) {
    let mut left: Vec<usize> = (0..strands.len()).collect();
    let mut rank = 0;
    while work.spend(left.len()) {
        let order = |at: usize| (waiting[at], scores[at], strands[at].first_path);
        // The first of equal ones, as in the web client.
        let Some((place, best)) = left.iter().copied().enumerate().min_by_key(|(_, at)| order(*at)) else { return };
        left.remove(place);
        strands[best].rank = rank;
        rank += 1;
        for next in &after[best] {
            waiting[*next] -= 1;
        }
    }
}

/// Negative if the first strand should have the smaller coordinate.
fn preferred_side(one: &Strand, other: &Strand, input: &SpreadInput<'_>) -> i32 {
    let touch = RULES.spread.touch;
    let mut sum = 0;
    let mut compared = 0;
    for a in one.pieces.iter().map(|at| &input.pieces[*at]) {
        if !input.work.spend(other.pieces.len()) {
            break;
        }
        for b in other.pieces.iter().map(|at| &input.pieces[*at]) {
            if a.low > b.high + touch || b.low > a.high + touch {
                continue;
            }
            sum += preferred_side_of_pieces(a, b, input, true) + preferred_side_of_pieces(a, b, input, false);
            compared += 1;
            if compared >= MAX_COMPARED {
                return sum.signum();
            }
        }
    }
    sum.signum()
}

/// Like `preferred_side` for two pieces, based on where their lines diverge toward greater coordinates if `is_ahead`, otherwise
/// toward smaller ones.
fn preferred_side_of_pieces(a: &Piece, b: &Piece, input: &SpreadInput<'_>, is_ahead: bool) -> i32 {
    let one = Traveller::of(a, input, is_ahead);
    let other = Traveller::of(b, input, is_ahead);
    let turn = compare_turns(one, other);
    // Left of the direction of travel: greater x when moving down, smaller y when moving right.
    let left = if a.is_vertical == is_ahead { 1 } else { -1 };
    -turn * left
}

/// A traversal of a line from one of its pieces, in the order of its points or in reverse.
#[derive(Clone, Copy)]
struct Traveller<'s> {
    pieces: &'s [Piece],
    points: &'s [Point],
    at: usize,
    is_reversed: bool,
}

impl<'s> Traveller<'s> {
    fn of(piece: &Piece, input: &'s SpreadInput<'_>, is_ahead: bool) -> Self {
        let points = input.points(piece.path);
        let first = input.first[piece.path];
        let pieces = &input.pieces[first..first + points.len().saturating_sub(1)];
        let traveller = Self { pieces, points, at: piece.at, is_reversed: false };
        if traveller.heading().1 == is_ahead { traveller } else { Self { is_reversed: true, ..traveller } }
    }

    /// The end of a piece in the direction of travel, and whether that direction is toward greater coordinates.
    fn heading(&self) -> (f64, bool) {
        let (one, other) = (self.points[self.at], self.points[self.at + 1]);
        let (from, to) = if self.is_reversed { (other, one) } else { (one, other) };
        if self.pieces[self.at].is_vertical { (to.y, to.y > from.y) } else { (to.x, to.x > from.x) }
    }

    fn next(&self) -> Option<Self> {
        let at = if self.is_reversed { self.at.checked_sub(1)? } else { self.at + 1 };
        (at < self.pieces.len()).then_some(Self { at, ..*self })
    }

    /// Whether the line turns left (-1) or right (1) after a piece; 0 at the end of the line.
    fn turn(&self, is_ahead: bool) -> i32 {
        let Some(next) = self.next() else { return 0 };
        let piece = &self.pieces[self.at];
        let towards_greater = (self.pieces[next.at].low - piece.position).abs() < 0.5;
        // Right of the direction of travel: smaller x when moving down, greater y when moving right.
        let right_is_greater = piece.is_vertical != is_ahead;
        if towards_greater == right_is_greater { 1 } else { -1 }
    }
}

/// -1 if the first line should be left of the second where they diverge, 1 if right, 0 if it makes no difference.
fn compare_turns(mut a: Traveller<'_>, mut b: Traveller<'_>) -> i32 {
    for _ in 0..MAX_BENDS {
        let ((here, is_ahead), (there, other_is_ahead)) = (a.heading(), b.heading());
        if is_ahead != other_is_ahead {
            return 0;
        }
        if (here - there).abs() > 0.5 {
            let is_first = if is_ahead { here < there } else { here > there };
            return if is_first { a.turn(is_ahead) } else { -b.turn(is_ahead) };
        }
        let (turn, other_turn) = (a.turn(is_ahead), b.turn(is_ahead));
        if turn != other_turn {
            return if turn < other_turn { -1 } else { 1 };
        }
        let (Some(next), Some(other_next)) = (a.next(), b.next()) else { return 0 };
        (a, b) = (next, other_next);
    }
    0
}
