/** Where something new lands: in free space near where it belongs. Nothing that is there is moved for it. */
import { inflated, NODE, onGrid, overlap, type Point, type Rect } from '../scene/geometry';

/** Space between neighbours. */
const GAP = { x: 80, y: 56 } as const;
/** What is nearer than this is too near. */
const MARGIN = 16;
/** How many rings around the wanted place are looked at before it goes below everything. */
const RINGS = 12;

/** A free place for a component, on the grid, as near to `wanted` (its top left corner) as there is one. */
export function freePlace(wanted: Point, taken: readonly Rect[]): Point {
  const start = { x: onGrid(wanted.x), y: onGrid(wanted.y) };
  for (let ring = 0; ring <= RINGS; ring++) {
    for (const spot of ringAround(start, ring)) if (isFree(spot, taken)) return spot;
  }
  const bottom = Math.max(start.y, ...taken.map(({ y, height }) => y + height));
  return { x: start.x, y: onGrid(bottom + GAP.y + MARGIN) };
}

/** A free place beside another component: in the direction that is asked for, and further if need be. */
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

/** Whether a component at `spot` would cover or touch nothing. */
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
