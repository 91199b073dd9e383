/** The course of lines: straight where one is alone, bent where several run side by side, a loop back to itself. */
import { center, containsRect, type Point, type Rect } from './geometry';
import { handleRect, type Scene, type SceneLine, type SceneNode } from './scene';

/** A line with one bend (`c`), or with two for a loop (`c` and `d`); straight without. */
export interface LinePath {
  from: Point;
  to: Point;
  c: Point | null;
  d: Point | null;
}

/** Distance of lines that run side by side. */
const LANE_DISTANCE = 26;
const LOOP = 34;

/** Where a line runs. */
export function linePath(scene: Scene, rects: readonly Rect[], line: SceneLine): LinePath {
  const source = rects[line.from] as Rect;
  const target = rects[line.to] as Rect;
  if (line.from === line.to) return loop(handleRect(scene.nodes[line.from] as SceneNode, source), line.lane);
  // A line between a box and what is in it begins at the box's title.
  const one = containsRect(source, target) ? handleRect(scene.nodes[line.from] as SceneNode, source) : source;
  const other = containsRect(target, source) ? handleRect(scene.nodes[line.to] as SceneNode, target) : target;
  const start = center(one);
  const end = center(other);
  if (line.lanes === 1)
    return { from: border(one, start, end), to: border(other, end, start), c: null, d: null };
  // The same side for both directions, so that a line there and a line back do not meet.
  const turn = line.from < line.to ? 1 : -1;
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const shift = (turn * (line.lane - (line.lanes - 1) / 2) * LANE_DISTANCE * 2) / length;
  const c = {
    x: (start.x + end.x) / 2 - (end.y - start.y) * shift,
    y: (start.y + end.y) / 2 + (end.x - start.x) * shift,
  };
  return { from: border(one, start, c), to: border(other, end, c), c, d: null };
}

function loop({ x, y, width }: Rect, lane: number): LinePath {
  const size = LOOP * (1 + lane * 0.6);
  const right = x + width;
  return {
    from: { x: right - 28, y },
    to: { x: right, y: y + 24 },
    c: { x: right - 24, y: y - size * 1.4 },
    d: { x: right + size * 1.4, y: y + 16 },
  };
}

/** Where the way from the inside of a rectangle to a point crosses its border. */
function border({ width, height }: Rect, middle: Point, to: Point): Point {
  const dx = to.x - middle.x;
  const dy = to.y - middle.y;
  const scale = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : height / 2 / Math.abs(dy),
  );
  // The other point is inside: there is no way out to draw.
  if (scale >= 1 || !Number.isFinite(scale)) return { x: middle.x + dx * 0.5, y: middle.y + dy * 0.5 };
  return { x: middle.x + dx * scale, y: middle.y + dy * scale };
}

/** A point of the course, `t` from 0 at its beginning to 1 at its end. */
export function pointAt({ from, to, c, d }: LinePath, t: number): Point {
  const u = 1 - t;
  if (c && d) {
    const [w0, w1, w2, w3] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    return {
      x: w0 * from.x + w1 * c.x + w2 * d.x + w3 * to.x,
      y: w0 * from.y + w1 * c.y + w2 * d.y + w3 * to.y,
    };
  }
  if (c) {
    const [w0, w1, w2] = [u * u, 2 * u * t, t * t];
    return { x: w0 * from.x + w1 * c.x + w2 * to.x, y: w0 * from.y + w1 * c.y + w2 * to.y };
  }
  return { x: u * from.x + t * to.x, y: u * from.y + t * to.y };
}

/** Distance of a point from the course. */
export function distanceToPath(path: LinePath, point: Point): number {
  const pieces = path.c ? 16 : 1;
  let best = Number.POSITIVE_INFINITY;
  let before = path.from;
  for (let piece = 1; piece <= pieces; piece++) {
    const after = pointAt(path, piece / pieces);
    best = Math.min(best, distanceToPiece(before, after, point));
    before = after;
  }
  return best;
}

function distanceToPiece(a: Point, b: Point, { x, y }: Point): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / square));
  return Math.hypot(a.x + t * dx - x, a.y + t * dy - y);
}
