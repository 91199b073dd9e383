/** Geometry of polylines. */
import { boundingBox, containsRect, type Point, type Rect, rectBetween } from '../scene/geometry';

/** Whether a segment passes through the interior of a rectangle. */
export function segmentHits(a: Point, b: Point, { x, y, width, height }: Rect): boolean {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const range: [number, number] = [0, 1];
  return (
    clip(-dx, a.x - x, range) &&
    clip(dx, x + width - a.x, range) &&
    clip(-dy, a.y - y, range) &&
    clip(dy, y + height - a.y, range) &&
    range[1] > range[0]
  );
}

/** One step of Liang–Barsky clipping. */
function clip(p: number, q: number, range: [number, number]): boolean {
  if (p === 0) return q > 0;
  const t = q / p;
  if (p < 0) range[0] = Math.max(range[0], t);
  else range[1] = Math.min(range[1], t);
  return range[0] <= range[1];
}

/** Whether a polyline passes through the interior of a rectangle. */
export function polylineHits(points: readonly Point[], rect: Rect): boolean {
  for (let at = 1; at < points.length; at++)
    if (segmentHits(points[at - 1] as Point, points[at] as Point, rect)) return true;
  return false;
}

/** The segments of a polyline. */
export function* segments(points: readonly Point[]): Generator<readonly [Point, Point]> {
  for (let at = 1; at < points.length; at++) yield [points[at - 1] as Point, points[at] as Point];
}

/**
 * A segment in parts of at most this length if it is diagonal: the bounding box of a long diagonal contains most of the
 * map, which makes an index useless.
 */
export function* diagonalParts(a: Point, b: Point, longest: number): Generator<readonly [Point, Point]> {
  const isDiagonal = a.x !== b.x && a.y !== b.y;
  const parts = isDiagonal ? Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / longest) : 1;
  const at = (part: number): Point => ({
    x: a.x + ((b.x - a.x) * part) / parts,
    y: a.y + ((b.y - a.y) * part) / parts,
  });
  for (let part = 0; part < parts; part++) yield [at(part), at(part + 1)];
}

export function segmentBounds(a: Point, b: Point): Rect {
  return rectBetween(a, b);
}

export function polylineLength(points: readonly Point[]): number {
  let length = 0;
  for (const [a, b] of segments(points)) length += Math.hypot(b.x - a.x, b.y - a.y);
  return length;
}

export function polylineBounds(points: readonly Point[]): Rect | null {
  return boundingBox(points.map(({ x, y }) => ({ x, y, width: 0, height: 0 })));
}

/** Removes duplicate points and points in the middle of straight segments. */
export function simplify(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    if (last && last.x === point.x && last.y === point.y) continue;
    const before = kept.at(-2);
    const isStraight =
      before &&
      last &&
      ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y));
    if (isStraight) kept[kept.length - 1] = point;
    else kept.push(point);
  }
  return kept;
}

/** Whether one node contains the other, or both have the same position. */
export function isNested(one: Rect, other: Rect): boolean {
  return containsRect(one, other) || containsRect(other, one);
}

/** Manhattan distance between the centers. */
export function centerDistance(one: Rect, other: Rect): number {
  return (
    Math.abs(one.x + one.width / 2 - other.x - other.width / 2) +
    Math.abs(one.y + one.height / 2 - other.y - other.height / 2)
  );
}
