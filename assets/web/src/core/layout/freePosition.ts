/** Finds a free position for a new component. Existing components are not moved. */
import { expandRect, NODE_SIZE, overlaps, type Point, type Rect, snapToGrid } from '../scene/geometry';

/** Distance between neighbors. */
const GAP = { x: 80, y: 56 } as const;
/** The minimum distance. */
const MARGIN = 16;
/** The number of rings to search before placing the component below all others. */
const MAX_RINGS = 12;

/** The free grid position (top left corner) closest to `preferred`. */
export function findFreePosition(preferred: Point, taken: readonly Rect[]): Point {
  const start = { x: snapToGrid(preferred.x), y: snapToGrid(preferred.y) };
  for (let ring = 0; ring <= MAX_RINGS; ring++) {
    for (const spot of ringAround(start, ring)) if (isFree(spot, taken)) return spot;
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
export function isFree({ x, y }: Point, taken: readonly Rect[]): boolean {
  const rect = expandRect({ x, y, ...NODE_SIZE }, MARGIN);
  return !taken.some((other) => overlaps(rect, other));
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
