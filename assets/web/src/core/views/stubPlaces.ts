/** Places the neighbors outside of a view around its members, each at the side that is next to them. */
import { boundingBox, center, type Point, type Rect } from '../scene/geometry';
import type { ViewStub } from './resolve';

export const STUB_SIZE = { width: 168, height: 36 } as const;
/** The distance between the members and their neighbors. */
const DISTANCE = 88;
const GAP = 12;
/** Maximum number of neighbors that are shown. */
export const MAX_STUBS = 60;

/** A neighbor outside of the view. */
export interface PlacedStub {
  id: string;
  rect: Rect;
  /** The points of the members that it is related to, at their edges. */
  ends: readonly Point[];
}

type Side = 'left' | 'right' | 'top' | 'bottom';

/**
 * The positions of the most connected stubs. `memberOf` returns the members that a stub is related to, `rectOf` their
 * rectangles.
 */
export function placeStubs(
  stubs: readonly ViewStub[],
  rects: readonly Rect[],
  membersOf: (stub: ViewStub) => readonly Rect[],
): PlacedStub[] {
  const bounds = boundingBox(rects);
  if (!bounds) return [];
  const shown = [...stubs]
    .sort((a, b) => b.relationshipIds.length - a.relationshipIds.length)
    .slice(0, MAX_STUBS);
  const sides: Record<Side, { id: string; at: number; members: readonly Rect[] }[]> = {
    left: [],
    right: [],
    top: [],
    bottom: [],
  };
  for (const stub of shown) {
    const members = membersOf(stub);
    if (members.length === 0) continue;
    const middle = average(members.map(center));
    const side = nearestSide(middle, bounds);
    const at = side === 'left' || side === 'right' ? middle.y : middle.x;
    sides[side].push({ id: stub.componentId, at, members });
  }
  return (Object.keys(sides) as Side[]).flatMap((side) => {
    const isVertical = side === 'left' || side === 'right';
    const step = (isVertical ? STUB_SIZE.height : STUB_SIZE.width) + GAP;
    const row = sides[side].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    const places = spread(
      row.map(({ at }) => at),
      step,
    );
    return row.map(({ id, members }, index) => {
      const rect = stubRect(side, places[index] as number, bounds);
      return { id, rect, ends: members.map((member) => edgePoint(member, center(rect))) };
    });
  });
}

/** Where the line from the center of a rectangle to a point leaves it. */
function edgePoint(rect: Rect, to: Point): Point {
  const { x, y } = center(rect);
  const [dx, dy] = [to.x - x, to.y - y];
  const part = Math.min(
    dx === 0 ? 1 : rect.width / 2 / Math.abs(dx),
    dy === 0 ? 1 : rect.height / 2 / Math.abs(dy),
    1,
  );
  return { x: x + dx * part, y: y + dy * part };
}

function average(points: readonly Point[]): Point {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }));
  return { x: sum.x / points.length, y: sum.y / points.length };
}

function nearestSide({ x, y }: Point, bounds: Rect): Side {
  const distances: [Side, number][] = [
    ['left', x - bounds.x],
    ['right', bounds.x + bounds.width - x],
    ['top', y - bounds.y],
    ['bottom', bounds.y + bounds.height - y],
  ];
  return distances.reduce((a, b) => (b[1] < a[1] ? b : a))[0];
}

/** Moves sorted values apart to at least `step`, as little as possible. */
function spread(values: readonly number[], step: number): number[] {
  const result: number[] = [];
  for (const value of values) {
    const before = result.at(-1);
    result.push(before === undefined ? value : Math.max(value, before + step));
  }
  const shift =
    result.reduce((sum, value, at) => sum + value - (values[at] as number), 0) / (result.length || 1);
  return result.map((value) => value - shift);
}

function stubRect(side: Side, at: number, bounds: Rect): Rect {
  const { width, height } = STUB_SIZE;
  const x = { left: bounds.x - DISTANCE - width, right: bounds.x + bounds.width + DISTANCE };
  const y = { top: bounds.y - DISTANCE - height, bottom: bounds.y + bounds.height + DISTANCE };
  return side === 'left' || side === 'right'
    ? { x: x[side], y: at - height / 2, width, height }
    : { x: at - width / 2, y: y[side], width, height };
}
