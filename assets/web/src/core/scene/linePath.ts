/**
 * The geometry of a line: its route if it has one, otherwise a straight line (from waypoint to waypoint), a curve if there
 * are parallel lines, or a loop.
 */
import { boundingBox, center, containsRect, type Point, type Rect } from './geometry';
import { handleRect, type Scene, type SceneLine, type SceneNode } from './scene';

/** A polyline, or a Bézier curve with one or two control points. */
export interface LinePath {
  points: readonly Point[];
  isCurve: boolean;
}

/** Distance between parallel curves. */
const LANE_DISTANCE = 26;
const LOOP_SIZE = 34;
/** Number of segments used to approximate a curve. */
const CURVE_PIECES = 16;

/** The path of a line; `route` is its polyline if it is routed. */
export function linePath(
  scene: Scene,
  rects: readonly Rect[],
  line: SceneLine,
  route?: readonly Point[],
): LinePath {
  if (route) return { points: route, isCurve: false };
  const source = rects[line.from] as Rect;
  const target = rects[line.to] as Rect;
  if (line.from === line.to) return loop(handleRect(scene.nodes[line.from] as SceneNode, source), line.lane);
  // Lines between a group and its contents start at the group's title.
  const sourceRect = containsRect(source, target)
    ? handleRect(scene.nodes[line.from] as SceneNode, source)
    : source;
  const other = containsRect(target, source) ? handleRect(scene.nodes[line.to] as SceneNode, target) : target;
  const start = center(sourceRect);
  const end = center(other);
  const via = line.layout?.via ?? [];
  if (via.length > 0) {
    const [first, last] = [via[0], via.at(-1)] as [Point, Point];
    const points = [border(sourceRect, start, first), ...via, border(other, end, last)];
    return { points, isCurve: false };
  }
  if (line.lanes === 1)
    return { points: [border(sourceRect, start, end), border(other, end, start)], isCurve: false };
  // Use the same side for both directions, so that opposite lines do not overlap.
  const turn = line.from < line.to ? 1 : -1;
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const shift = (turn * (line.lane - (line.lanes - 1) / 2) * LANE_DISTANCE * 2) / length;
  const control = {
    x: (start.x + end.x) / 2 - (end.y - start.y) * shift,
    y: (start.y + end.y) / 2 + (end.x - start.x) * shift,
  };
  return {
    points: [border(sourceRect, start, control), control, border(other, end, control)],
    isCurve: true,
  };
}

function loop({ x, y, width }: Rect, lane: number): LinePath {
  const size = LOOP_SIZE * (1 + lane * 0.6);
  const right = x + width;
  const points = [
    { x: right - 28, y },
    { x: right - 24, y: y - size * 1.4 },
    { x: right + size * 1.4, y: y + 16 },
    { x: right, y: y + 24 },
  ];
  return { points, isCurve: true };
}

/** The intersection of a rectangle's border with the line from its center to a point. */
function border({ width, height }: Rect, middle: Point, to: Point): Point {
  const dx = to.x - middle.x;
  const dy = to.y - middle.y;
  const scale = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : height / 2 / Math.abs(dy),
  );
  // The other point is inside, so the line does not cross the border.
  if (scale >= 1 || !Number.isFinite(scale)) return { x: middle.x + dx * 0.5, y: middle.y + dy * 0.5 };
  return { x: middle.x + dx * scale, y: middle.y + dy * scale };
}

/** Converts a path to a polyline. */
export function flattenPath({ points, isCurve }: LinePath): readonly Point[] {
  if (!isCurve) return points;
  return Array.from({ length: CURVE_PIECES + 1 }, (_, at) => curvePoint(points, at / CURVE_PIECES));
}

/** A point on a Bézier curve, computed with de Casteljau's algorithm. */
function curvePoint(points: readonly Point[], t: number): Point {
  let left = points;
  while (left.length > 1) {
    const before = left;
    left = before.slice(1).map((b, at) => {
      const a = before[at] as Point;
      return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
    });
  }
  return left[0] as Point;
}

/** The middle of the longest segment of a path. */
export function middleOfPath(path: LinePath): Point {
  const points = flattenPath(path);
  let longest = 0;
  let middle = points[0] ?? { x: 0, y: 0 };
  for (const [at, b] of points.entries()) {
    const a = points[at - 1];
    if (!a || Math.hypot(b.x - a.x, b.y - a.y) < longest) continue;
    longest = Math.hypot(b.x - a.x, b.y - a.y);
    middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  }
  return middle;
}

/** The bounding box of a path's points, which contains the curve. */
export function pathBounds({ points }: LinePath): Rect {
  return boundingBox(points.map(({ x, y }) => ({ x, y, width: 0, height: 0 }))) as Rect;
}

/** Distance of a point from a path. */
export function distanceToPath(path: LinePath, point: Point): number {
  const points = flattenPath(path);
  let best = Number.POSITIVE_INFINITY;
  for (let at = 1; at < points.length; at++)
    best = Math.min(best, distanceToSegment(points[at - 1] as Point, points[at] as Point, point));
  return best;
}

function distanceToSegment(a: Point, b: Point, { x, y }: Point): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / square));
  return Math.hypot(a.x + t * dx - x, a.y + t * dy - y);
}
