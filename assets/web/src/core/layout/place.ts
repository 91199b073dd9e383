/** Finds a free position for a new component. Existing components are not moved. */
import { inflated, NODE, onGrid, overlap, type Point, type Rect } from '../scene/geometry';

/** Distance between neighbors. */
const GAP = { x: 80, y: 56 } as const;
/** The minimum distance. */
const MARGIN = 16;
/** The number of rings to search before placing the component below all others. */
const RINGS = 12;

/** The free grid position nearest to `wanted` (top left corner). */
export function freePlace(wanted: Point, taken: readonly Rect[]): Point {
  const start = { x: onGrid(wanted.x), y: onGrid(wanted.y) };
  for (let ring = 0; ring <= RINGS; ring++) {
    for (const spot of ringAround(start, ring)) if (isFree(spot, taken)) return spot;
  }
  const bottom = Math.max(start.y, ...taken.map(({ y, height }) => y + height));
  return { x: start.x, y: onGrid(bottom + GAP.y + MARGIN) };
}

/** A free position beside a component in the given direction. */
export function placeBeside(beside: Rect, step: Point, taken: readonly Rect[]): Point {
  const wanted = {
    x: beside.x + (step.x > 0 ? beside.width + GAP.x : step.x < 0 ? -NODE.width - GAP.x : 0),
    y: beside.y + (step.y > 0 ? beside.height + GAP.y : step.y < 0 ? -NODE.height - GAP.y : 0),
  };
  const start = { x: onGrid(wanted.x), y: onGrid(wanted.y) };
  // First across the direction, so that several added one after the other stand in a row.
  for (let far = 0; far <= RINGS; far++) {
    const side = (far % 2 === 0 ? 1 : -1) * Math.ceil(far / 2);
    const spot =
      step.x !== 0
        ? { x: start.x, y: onGrid(start.y + side * (NODE.height + GAP.y / 2)) }
        : { x: onGrid(start.x + side * (NODE.width + GAP.x / 2)), y: start.y };
    if (isFree(spot, taken)) return spot;
  }
  return freePlace(start, taken);
}

/** Whether a component at `spot` would not overlap or touch another. */
export function isFree({ x, y }: Point, taken: readonly Rect[]): boolean {
  const rect = inflated({ x, y, ...NODE }, MARGIN);
  return !taken.some((other) => overlap(rect, other));
}

function* ringAround({ x, y }: Point, ring: number): Iterable<Point> {
  const across = onGrid(NODE.width / 2 + MARGIN);
  const down = onGrid(NODE.height / 2 + MARGIN);
  const spots: (Point & { far: number })[] = [];
  for (let column = -ring; column <= ring; column++) {
    for (let row = -ring; row <= ring; row++) {
      if (Math.max(Math.abs(column), Math.abs(row)) !== ring) continue;
      const far = Math.hypot(column * across, row * down);
      spots.push({ x: x + column * across, y: y + row * down, far });
    }
  }
  for (const spot of spots.sort((one, other) => one.far - other.far)) yield { x: spot.x, y: spot.y };
}
