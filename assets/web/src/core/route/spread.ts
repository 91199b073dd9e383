/** Spreads lines that share a track, keeping distance from each other and from cards. */
import type { Point } from '../scene/geometry';
import type { Obstacles } from './obstacles';
import { firstPath, rankStrands, type SpreadInput, type Strand, strandsOf } from './ordering';
import { type Piece, piecesOf, setRange } from './pieces';
import { simplify } from './polyline';
import rules from './rules.json';
import { edgeOf } from './trackGraph';
import type { RouteInput, RouteLine, RouteNode, TrackPath } from './types';

const { distance, touch, reach } = rules.spread;

export interface SpreadResult {
  points: (Point[] | null)[];
  offsets: (number[] | null)[];
}

/**
 * Computes the polylines of paths. `lines` are the indexes of the paths' lines. Paths with `fixed` offsets are not
 * moved.
 */
export function spread(
  input: RouteInput,
  obstacles: Obstacles,
  paths: readonly (TrackPath | null)[],
  lines: readonly number[],
  fixed?: ReadonlyMap<number, readonly number[]>,
): SpreadResult {
  const pieces = paths.map((path, at) => (path ? piecesOf(path, at) : []));
  const lineOf = (path: number) => input.lines[lines[path] as number] as RouteLine;
  for (const piece of pieces.flat()) {
    const path = paths[piece.path] as TrackPath;
    const offset = fixed?.get(piece.path)?.[piece.at];
    if (offset !== undefined) piece.offset = piece.min = piece.max = offset;
    else if (!path.isFixed) setRange(obstacles, piece, path, lineOf(piece.path));
  }
  for (const isVertical of [true, false])
    spreadAxis(
      pieces.flat().filter((piece) => piece.isVertical === isVertical),
      { paths, pieces },
    );
  return {
    points: paths.map((path, at) => {
      if (!path || path.isFixed) return path ? [...path.points] : null;
      const { from, to } = lineOf(at);
      const points = pointsOf(
        pieces[at] as Piece[],
        edgeOf(input.nodes[from] as RouteNode, path.ports[0]),
        edgeOf(input.nodes[to] as RouteNode, path.ports[1]),
      );
      // Nodes that touch can meet in a point, which is not a line.
      return points.length > 1 ? points : null;
    }),
    offsets: pieces.map((list) => (list.length > 0 ? list.map(({ offset }) => offset) : null)),
  };
}

/** The polyline through spread pieces, from node edge to node edge. */
function pointsOf(pieces: readonly Piece[], start: number, end: number): Point[] {
  const [first, last] = [pieces[0] as Piece, pieces.at(-1) as Piece];
  const at = ({ isVertical, offset }: Piece, along: number): Point =>
    isVertical ? { x: offset, y: along } : { x: along, y: offset };
  const points = [at(first, start)];
  for (let index = 1; index < pieces.length; index++)
    points.push(at(pieces[index] as Piece, (pieces[index - 1] as Piece).offset));
  points.push(at(last, end));
  return simplify(points);
}

function spreadAxis(pieces: Piece[], input: SpreadInput): void {
  pieces.sort((one, other) => one.position - other.position || one.low - other.low || one.path - other.path);
  const strands: Strand[] = [];
  for (let start = 0; start < pieces.length; ) {
    const position = (pieces[start] as Piece).position;
    let end = start;
    while (end < pieces.length && (pieces[end] as Piece).position - position < 0.75) end++;
    const track = strandsOf(pieces.slice(start, end), input.paths);
    rankStrands(track, input);
    strands.push(...track);
    start = end;
  }
  placeStrands(strands);
  for (const { pieces: placed, offset } of strands) for (const piece of placed) piece.offset = offset;
}

/** Strands that run in parallel, and the number of strands on each side of a strand. */
interface Neighborhood {
  before: readonly (readonly number[])[];
  after: readonly (readonly number[])[];
}

/** Places strands in rank order, `distance` apart, or closer if there is not enough space. */
function placeStrands(strands: Strand[]): void {
  strands.sort(
    (one, other) =>
      one.position - other.position || one.rank - other.rank || firstPath(one) - firstPath(other),
  );
  const neighbors = neighborhood(strands);
  const gaps = gapsThatFit(strands, neighbors);
  const high = upperBounds(strands, neighbors, gaps);
  const { before, after } = countBeside(strands, neighbors);
  for (const [at, strand] of strands.entries()) {
    let least = strand.min;
    for (const other of neighbors.before[at] ?? [])
      least = Math.max(least, (strands[other] as Strand).offset + gapOf(gaps, at, other));
    const wanted =
      strand.position + (((before[at] as number) - (after[at] as number)) / 2) * (gaps[at] as number);
    const free = Math.min(Math.max(wanted, least), high[at] as number);
    strand.offset = Math.min(strand.max, Math.max(strand.min, free));
  }
}

const gapOf = (gaps: Float64Array, one: number, other: number) =>
  Math.min(gaps[one] as number, gaps[other] as number);

function neighborhood(strands: readonly Strand[]): Neighborhood {
  const size = 200;
  const cells = new Map<number, number[]>();
  const before: number[][] = strands.map(() => []);
  const after: number[][] = strands.map(() => []);
  for (const [at, strand] of strands.entries()) {
    const seen = new Set<number>();
    const last = Math.floor((strand.high + touch) / size);
    for (let cell = Math.floor((strand.low - touch) / size); cell <= last; cell++) {
      const known = cells.get(cell) ?? [];
      cells.set(cell, known);
      for (let place = known.length - 1; place >= 0; place--) {
        const index = known[place] as number;
        const other = strands[index] as Strand;
        if (strand.position - other.position > 2 * reach + distance) break;
        if (!seen.has(index) && mayMeet(strand, other)) {
          seen.add(index);
          before[at]?.push(index);
          after[index]?.push(at);
        }
      }
      known.push(at);
    }
  }
  return { before, after };
}

function mayMeet(strand: Strand, other: Strand): boolean {
  const isSame = strand.trunk >= 0 && strand.trunk === other.trunk && strand.position === other.position;
  return (
    !isSame &&
    strand.low < other.high + touch &&
    other.low < strand.high + touch &&
    other.max + distance > strand.min
  );
}

/** Counts the strands of the same track on each side of each strand. */
function countBeside(strands: readonly Strand[], neighbors: Neighborhood) {
  const before = new Int32Array(strands.length);
  const after = new Int32Array(strands.length);
  const isOnTrack = (one: number, other: number) => strands[one]?.position === strands[other]?.position;
  for (let at = 0; at < strands.length; at++)
    for (const other of neighbors.before[at] ?? [])
      if (isOnTrack(at, other)) before[at] = Math.max(before[at] as number, (before[other] as number) + 1);
  for (let at = strands.length - 1; at >= 0; at--)
    for (const other of neighbors.after[at] ?? [])
      if (isOnTrack(at, other)) after[at] = Math.max(after[at] as number, (after[other] as number) + 1);
  return { before, after };
}

const MAX_ROUNDS = 10;

/** The distance that each strand can keep: less than `distance` if a row of strands does not have enough space. */
function gapsThatFit(strands: readonly Strand[], neighbors: Neighborhood): Float64Array {
  const size = strands.length;
  const gaps = new Float64Array(size).fill(distance);
  const previous = new Int32Array(size);
  const next = new Int32Array(size);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const low = lowerBounds(strands, neighbors, gaps, previous);
    const high = upperBounds(strands, neighbors, gaps, next);
    let isTight = false;
    for (let at = 0; at < size; at++) {
      if ((low[at] as number) <= (high[at] as number) + 0.01) continue;
      if (narrowRow(strands, at, previous, next, gaps)) isTight = true;
    }
    if (!isTight) break;
  }
  return gaps;
}

/** Distributes the available space in the row that contains a strand. Returns whether anything changed. */
function narrowRow(
  strands: readonly Strand[],
  at: number,
  previous: Int32Array,
  next: Int32Array,
  gaps: Float64Array,
): boolean {
  const before = chain(at, previous);
  const after = chain(at, next);
  const row = [...before, at, ...after];
  const [first, last] = [before.at(-1) ?? at, after.at(-1) ?? at];
  const room = Math.max(0, (strands[last] as Strand).max - (strands[first] as Strand).min);
  const gap = room / Math.max(1, row.length - 1);
  let hasChanged = false;
  for (const one of row) {
    if ((gaps[one] as number) <= gap + 1e-6) continue;
    gaps[one] = gap;
    hasChanged = true;
  }
  return hasChanged;
}

/** The strands reachable by following `links`. */
function chain(from: number, links: Int32Array): number[] {
  const found: number[] = [];
  for (let at = links[from] as number; at >= 0; at = links[at] as number) found.push(at);
  return found;
}

/** The smallest allowed position of each strand, and the strand that limits it. */
function lowerBounds(
  strands: readonly Strand[],
  { before }: Neighborhood,
  gaps: Float64Array,
  previous: Int32Array,
): Float64Array {
  const low = new Float64Array(strands.length);
  for (let at = 0; at < strands.length; at++) {
    let value = (strands[at] as Strand).min;
    previous[at] = -1;
    for (const other of before[at] ?? []) {
      const bound = (low[other] as number) + gapOf(gaps, at, other);
      if (bound <= value) continue;
      value = bound;
      previous[at] = other;
    }
    low[at] = value;
  }
  return low;
}

function upperBounds(
  strands: readonly Strand[],
  { after }: Neighborhood,
  gaps: Float64Array,
  next = new Int32Array(strands.length),
): Float64Array {
  const high = new Float64Array(strands.length);
  for (let at = strands.length - 1; at >= 0; at--) {
    let value = (strands[at] as Strand).max;
    next[at] = -1;
    for (const other of after[at] ?? []) {
      const bound = (high[other] as number) - gapOf(gaps, at, other);
      if (bound >= value) continue;
      value = bound;
      next[at] = other;
    }
    high[at] = value;
  }
  return high;
}
