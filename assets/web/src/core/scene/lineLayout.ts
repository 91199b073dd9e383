/**
 * How users have laid out a line: its waypoints, shape and label position. Stored in the field `line` of the
 * relationship.
 */
import type { LineShape, RelationshipLine } from '@/api/generated';
import type { Point } from './geometry';

export interface LineLayout {
  /** Points that the line passes through, in order. */
  via: readonly Point[];
  /** By default, the setting of the viewer. */
  shape?: LineShape | undefined;
  /** Position of the label's center along the line, from 0 (source) to 1 (target). */
  labelAt?: number | undefined;
}

/** Maximum number of waypoints of a line. */
export const MAX_WAYPOINTS = 50;

/** The layout of a line without any changes by users. */
export const NO_LAYOUT: LineLayout = { via: [] };

/** The layout stored in a relationship; undefined if nothing is stored. */
export function lineLayout(line: RelationshipLine | null | undefined): LineLayout | undefined {
  if (!line) return undefined;
  const via = (line.via ?? []).flatMap(([x, y]) => (x === undefined || y === undefined ? [] : [{ x, y }]));
  const layout = { via, shape: line.shape ?? undefined, labelAt: line.labelPosition ?? undefined };
  return isDefaultLayout(layout) ? undefined : layout;
}

/** The value to store in a relationship, in the form that the server returns; null if it is the default. */
export function storedLine(layout: LineLayout): RelationshipLine | null {
  if (isDefaultLayout(layout)) return null;
  const { via, shape, labelAt } = layout;
  return {
    ...(shape ? { shape } : {}),
    via: via.map(({ x, y }) => [x, y]),
    ...(labelAt === undefined ? {} : { labelPosition: labelAt }),
  };
}

function isDefaultLayout({ via, shape, labelAt }: LineLayout): boolean {
  return via.length === 0 && shape === undefined && labelAt === undefined;
}

/** Whether two layouts have the same path. Label positions may differ. */
export function hasSamePath(one: LineLayout | undefined, other: LineLayout | undefined): boolean {
  if (one === other) return true;
  const [via, otherVia] = [one?.via ?? [], other?.via ?? []];
  return (
    one?.shape === other?.shape &&
    via.length === otherVia.length &&
    via.every(({ x, y }, at) => x === otherVia[at]?.x && y === otherVia[at]?.y)
  );
}

/** Moves all waypoints. */
export function shiftedLayout(layout: LineLayout, by: Point): LineLayout {
  return { ...layout, via: layout.via.map(({ x, y }) => ({ x: x + by.x, y: y + by.y })) };
}

/** The layout of a line after its ends moved: waypoints move with both ends, and stay if the ends move differently. */
export function movedLayout(layout: LineLayout, source: Point, target: Point): LineLayout {
  const isMoved = (source.x !== 0 || source.y !== 0) && source.x === target.x && source.y === target.y;
  return isMoved && layout.via.length > 0 ? shiftedLayout(layout, source) : layout;
}

/** The same line from the target to the source. */
export function reversedLayout({ via, shape, labelAt }: LineLayout): LineLayout {
  return { via: via.toReversed(), shape, labelAt: labelAt === undefined ? undefined : 1 - labelAt };
}

/** The index in `via` of a new waypoint that is dragged from a point of the drawn line. */
export function waypointIndex(points: readonly Point[], via: readonly Point[], point: Point): number {
  const at = partAlong(points, point);
  return via.filter((waypoint) => partAlong(points, waypoint) < at).length;
}

/** The fraction of a polyline's length at the point of the polyline that is closest to a point. */
export function partAlong(points: readonly Point[], { x, y }: Point): number {
  let [length, best, along] = [0, Number.POSITIVE_INFINITY, 0];
  for (let at = 1; at < points.length; at++) {
    const [a, b] = [points[at - 1] as Point, points[at] as Point];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const piece = Math.hypot(dx, dy);
    const t = piece === 0 ? 0 : Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / piece ** 2));
    const distance = Math.hypot(a.x + t * dx - x, a.y + t * dy - y);
    if (distance < best) [best, along] = [distance, length + t * piece];
    length += piece;
  }
  return length === 0 ? 0 : along / length;
}
