/** Finds a free position for new and dropped components. Existing components are not moved. */
import type { Size } from '../drawing/card';
import {
  boundingBox,
  containsRect,
  expandRect,
  GRID_SIZE,
  NODE_SIZE,
  overlaps,
  type Point,
  type Rect,
  snapToGrid,
} from '../scene/geometry';

/** Distance between neighbors. */
const GAP = { x: 80, y: 56 } as const;
/** The minimum distance. */
const MARGIN = 16;
/** The number of rings to search before placing the component below all others. */
const MAX_RINGS = 12;

interface PositionOptions {
  /** The size of the component, by default the minimum size of cards. */
  size?: Readonly<Size>;
  /** The area to prefer, such as the inside of a group. */
  within?: Rect | null;
}

/** The free grid position (top left corner) closest to `preferred`. */
export function findFreePosition(
  preferred: Point,
  taken: readonly Rect[],
  { size = NODE_SIZE, within = null }: PositionOptions = {},
): Point {
  const start = { x: snapToGrid(preferred.x), y: snapToGrid(preferred.y) };
  if (within) {
    for (const spot of spotsIn(within, start, size)) if (isFree(spot, taken, size)) return spot;
  }
  for (let ring = 0; ring <= MAX_RINGS; ring++) {
    for (const spot of ringAround(start, ring)) if (isFree(spot, taken, size)) return spot;
  }
  const bottom = Math.max(start.y, ...taken.map(({ y, height }) => y + height));
  return { x: start.x, y: snapToGrid(bottom + GAP.y + MARGIN) };
}

/** A free position next to a component in the given direction. */
export function findFreePositionBeside(beside: Rect, step: Point, taken: readonly Rect[]): Point {
  const preferred = {
    x: beside.x + (step.x > 0 ? beside.width + GAP.x : step.x < 0 ? -NODE_SIZE.width - GAP.x : 0),
    y: beside.y + (step.y > 0 ? beside.height + GAP.y : step.y < 0 ? -NODE_SIZE.height - GAP.y : 0),
  };
  const start = { x: snapToGrid(preferred.x), y: snapToGrid(preferred.y) };
  // Search perpendicular to the direction first, so that components added one after another form a row.
  for (let far = 0; far <= MAX_RINGS; far++) {
    const side = (far % 2 === 0 ? 1 : -1) * Math.ceil(far / 2);
    const spot =
      step.x !== 0
        ? { x: start.x, y: snapToGrid(start.y + side * (NODE_SIZE.height + GAP.y / 2)) }
        : { x: snapToGrid(start.x + side * (NODE_SIZE.width + GAP.x / 2)), y: start.y };
    if (isFree(spot, taken)) return spot;
  }
  return findFreePosition(start, taken);
}

/** Whether a component at `spot` would not overlap or touch another. */
export function isFree({ x, y }: Point, taken: readonly Rect[], size: Readonly<Size> = NODE_SIZE): boolean {
  const rect = expandRect({ ...size, x, y }, MARGIN);
  return !taken.some((other) => overlaps(rect, other));
}

/** A rectangle to place, and the rectangles that it must not overlap. */
export interface Placing {
  rect: Rect;
  taken: readonly Rect[];
}

/** The farthest shift in one direction to try before placing below everything. */
const MAX_SHIFT = 800;

/**
 * The shortest shift on the grid after which no rectangle overlaps another or is closer to it than a grid step. All
 * rectangles are shifted together.
 */
export function findFreeShift(all: readonly Placing[]): Point {
  const near = all.map(({ rect, taken }) => {
    const reach = expandRect(rect, MAX_SHIFT + GRID_SIZE);
    return { rect: expandRect(rect, GRID_SIZE), taken: taken.filter((other) => overlaps(reach, other)) };
  });
  const isFreeAt = ({ x, y }: Point) =>
    near.every(({ rect, taken }) => {
      const shifted = { ...rect, x: rect.x + x, y: rect.y + y };
      return !taken.some((other) => overlaps(shifted, other));
    });
  return (
    nearestShift(isFreeAt) ??
    shiftBelow(
      all.map(({ rect }) => rect),
      all.flatMap(({ taken }) => taken),
    )
  );
}

/** The shortest shift on the grid that passes a test, of those up to the maximum; null if there is none. */
export function nearestShift(isFreeAt: (by: Point) => boolean): Point | null {
  return shifts().find(isFreeAt) ?? null;
}

/** The shift that places rectangles below all others. */
export function shiftBelow(rects: readonly Rect[], others: readonly Rect[]): Point {
  const top = boundingBox(rects)?.y ?? 0;
  const bottom = others.reduce((lowest, { y, height }) => Math.max(lowest, y + height), top);
  return { x: 0, y: snapToGrid(bottom - top + GAP.y) };
}

let byDistance: readonly Point[] | undefined;

/** All shifts up to the maximum, the shortest first. */
function shifts(): readonly Point[] {
  if (byDistance) return byDistance;
  const steps = Array.from(
    { length: (2 * MAX_SHIFT) / GRID_SIZE + 1 },
    (_, at) => at * GRID_SIZE - MAX_SHIFT,
  );
  const all = steps.flatMap((x) => steps.map((y) => ({ x, y })));
  byDistance = all.sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
  return byDistance;
}

/** The grid positions for a rectangle of this size inside an area, closest to `start` first. */
function spotsIn(area: Rect, start: Point, size: Readonly<Size>): Point[] {
  const spots: Point[] = [];
  const first = {
    x: Math.ceil(area.x / GRID_SIZE) * GRID_SIZE,
    y: Math.ceil(area.y / GRID_SIZE) * GRID_SIZE,
  };
  for (let { x } = first; x <= area.x + area.width - size.width; x += GRID_SIZE) {
    for (let { y } = first; y <= area.y + area.height - size.height; y += GRID_SIZE) {
      if (containsRect(area, { ...size, x, y })) spots.push({ x, y });
    }
  }
  const distance = ({ x, y }: Point) => Math.hypot(x - start.x, y - start.y);
  return spots.sort((a, b) => distance(a) - distance(b));
}

function* ringAround({ x, y }: Point, ring: number): Iterable<Point> {
  const across = snapToGrid(NODE_SIZE.width / 2 + MARGIN);
  const down = snapToGrid(NODE_SIZE.height / 2 + MARGIN);
  const spots: (Point & { far: number })[] = [];
  for (let column = -ring; column <= ring; column++) {
    for (let row = -ring; row <= ring; row++) {
      if (Math.max(Math.abs(column), Math.abs(row)) !== ring) continue;
      const far = Math.hypot(column * across, row * down);
      spots.push({ x: x + column * across, y: y + row * down, far });
    }
  }
  for (const spot of spots.sort((a, b) => a.far - b.far)) yield { x: spot.x, y: spot.y };
}
