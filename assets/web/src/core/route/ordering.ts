/** Orders the lines on a track to minimize crossings where they diverge. */
import type { Point } from '../scene/geometry';
import type { Piece } from './pieces';
import rules from './rules.json';
import type { TrackPath } from './types';

const { touch } = rules.spread;

/** Pieces that are placed together: a single piece, or touching pieces of one trunk. */
export interface Strand {
  pieces: Piece[];
  trunk: number;
  position: number;
  low: number;
  high: number;
  min: number;
  max: number;
  /** Rank among the strands of the same track. */
  rank: number;
  /** The position after spreading. */
  offset: number;
}

export interface SpreadInput {
  paths: readonly (TrackPath | null)[];
  /** The pieces of each path. */
  pieces: readonly (readonly Piece[])[];
}

/** Maximum number of pairs of pieces to compare for two trunks. */
const MAX_COMPARED = 24;
/** Maximum number of bends over which to compare two lines. */
const MAX_BENDS = 40;

/** Groups the pieces on one track into strands, sorted by start. */
export function strandsOf(pieces: readonly Piece[], paths: SpreadInput['paths']): Strand[] {
  const strands: Strand[] = [];
  const open = new Map<number, Strand>();
  for (const piece of pieces) {
    const { trunk } = paths[piece.path] as TrackPath;
    const known = trunk >= 0 ? open.get(trunk) : undefined;
    if (known && piece.low <= known.high + 1) {
      known.pieces.push(piece);
      known.high = Math.max(known.high, piece.high);
      known.min = Math.max(known.min, piece.min);
      known.max = Math.min(known.max, piece.max);
      continue;
    }
    const { position, low, high, min, max } = piece;
    const strand = { pieces: [piece], trunk, position, low, high, min, max, rank: 0, offset: position };
    strands.push(strand);
    if (trunk >= 0) open.set(trunk, strand);
  }
  return strands;
}

/** Ranks the strands of one track according to the preference of most pairs. */
export function rankStrands(strands: Strand[], input: SpreadInput): void {
  if (strands.length === 1) return;
  strands.sort((one, other) => one.low - other.low || one.high - other.high);
  const after: number[][] = strands.map(() => []);
  const waiting = new Int32Array(strands.length);
  const scores = new Int32Array(strands.length);
  for (let i = 0; i < strands.length; i++) {
    for (let j = i + 1; j < strands.length; j++) {
      const [one, other] = [strands[i] as Strand, strands[j] as Strand];
      if (other.low > one.high + touch) break;
      const side = preferredSide(one, other, input);
      if (side === 0) continue;
      scores[i] = (scores[i] as number) + side;
      scores[j] = (scores[j] as number) - side;
      const [first, second] = side < 0 ? [i, j] : [j, i];
      after[first]?.push(second);
      waiting[second] = (waiting[second] as number) + 1;
    }
  }
  rankByPrecedence(strands, after, waiting, scores);
}

/** Topological sort. Cycles are broken at the strand with the fewest predecessors. */
function rankByPrecedence(
  strands: readonly Strand[],
  after: readonly number[][],
  waiting: Int32Array,
  scores: Int32Array,
): void {
  const left = new Set(strands.keys());
  const isBefore = (one: number, other: number) =>
    (waiting[one] as number) - (waiting[other] as number) ||
    (scores[one] as number) - (scores[other] as number) ||
    firstPath(strands[one]) - firstPath(strands[other]);
  for (let rank = 0; left.size > 0; rank++) {
    let best = -1;
    for (const at of left) if (best < 0 || isBefore(at, best) < 0) best = at;
    left.delete(best);
    (strands[best] as Strand).rank = rank;
    for (const next of after[best] ?? []) waiting[next] = (waiting[next] as number) - 1;
  }
}

export function firstPath(strand: Strand | undefined): number {
  return strand?.pieces[0]?.path ?? -1;
}

/** Negative if the first strand should have the smaller coordinate. */
function preferredSide(one: Strand, other: Strand, input: SpreadInput): number {
  let sum = 0;
  let compared = 0;
  for (const a of one.pieces) {
    for (const b of other.pieces) {
      if (a.low > b.high + touch || b.low > a.high + touch) continue;
      sum += preferredSideOfPieces(a, b, input, 1) + preferredSideOfPieces(a, b, input, -1);
      if (++compared >= MAX_COMPARED) return Math.sign(sum);
    }
  }
  return Math.sign(sum);
}

/**
 * Like `preferredSide` for two pieces, based on where their lines diverge toward greater (1) or smaller (-1)
 * coordinates.
 */
function preferredSideOfPieces(a: Piece, b: Piece, input: SpreadInput, direction: 1 | -1): number {
  const one = travellerOf(a, input, direction);
  const other = travellerOf(b, input, direction);
  const turn = compareTurns(one, other);
  // Left of the direction of travel: greater x when moving down, smaller y when moving right.
  const left = a.isVertical === direction > 0 ? 1 : -1;
  return turn === 0 ? 0 : -turn * left;
}

/** A traversal of a line from one of its pieces, in the order of its points (1) or in reverse (-1). */
interface Traveller {
  pieces: readonly Piece[];
  points: readonly Point[];
  at: number;
  step: 1 | -1;
}

function travellerOf(piece: Piece, { paths, pieces }: SpreadInput, direction: 1 | -1): Traveller {
  const { points } = paths[piece.path] as TrackPath;
  const traveller: Traveller = { pieces: pieces[piece.path] ?? [], points, at: piece.at, step: 1 };
  return headingOf(traveller).direction === direction ? traveller : { ...traveller, step: -1 };
}

/** The end of a piece in the direction of travel, and whether that direction is toward greater coordinates. */
function headingOf({ pieces, points, at, step }: Traveller): { end: number; direction: 1 | -1 } {
  const from = points[step > 0 ? at : at + 1] as Point;
  const to = points[step > 0 ? at + 1 : at] as Point;
  return pieces[at]?.isVertical
    ? { end: to.y, direction: to.y > from.y ? 1 : -1 }
    : { end: to.x, direction: to.x > from.x ? 1 : -1 };
}

/** -1 if the first line should be left of the second where they diverge, 1 if right, 0 if it makes no difference. */
function compareTurns(one: Traveller, other: Traveller): number {
  let [a, b] = [one, other];
  for (let bends = 0; bends < MAX_BENDS; bends++) {
    const [here, there] = [headingOf(a), headingOf(b)];
    if (here.direction !== there.direction) return 0;
    if (Math.abs(here.end - there.end) > 0.5) {
      const isFirst = here.direction > 0 ? here.end < there.end : here.end > there.end;
      return isFirst ? turnOf(a, here.direction) : -turnOf(b, here.direction);
    }
    const [turn, otherTurn] = [turnOf(a, here.direction), turnOf(b, here.direction)];
    if (turn !== otherTurn) return turn < otherTurn ? -1 : 1;
    if (turn === 0) return 0;
    a = { ...a, at: a.at + a.step };
    b = { ...b, at: b.at + b.step };
  }
  return 0;
}

/** Whether the line turns left (-1) or right (1) after a piece; 0 at the end of the line. */
function turnOf({ pieces, at, step }: Traveller, direction: 1 | -1): number {
  const piece = pieces[at] as Piece;
  const next = pieces[at + step];
  if (!next) return 0;
  const towards = Math.abs(next.low - piece.position) < 0.5 ? 1 : -1;
  const right = piece.isVertical === direction > 0 ? -1 : 1;
  return towards === right ? 1 : -1;
}
