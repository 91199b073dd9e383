/** Where something that is moved comes to rest: in line with a neighbour, else on the grid. */
import { onGrid, type Point, type Rect } from './geometry';

/** A line that shows what something is in line with. */
export interface Guide {
  axis: 'x' | 'y';
  /** Where on the axis. */
  at: number;
  /** From where to where on the other axis. */
  from: number;
  to: number;
}

export interface Snapped {
  /** How far the thing really goes. */
  by: Point;
  guides: readonly Guide[];
}

/**
 * Moves `rect` by about `by`. A neighbour within `reach` whose left, middle or right (top, middle or bottom) is in line
 * attracts it; where none does, its corner goes to the grid.
 */
export function snapped(rect: Rect, by: Point, neighbours: Iterable<Rect>, reach: number): Snapped {
  const wanted = { ...rect, x: rect.x + by.x, y: rect.y + by.y };
  const near = [...neighbours];
  const x = attracted(wanted, near, reach, 'x');
  const y = attracted(wanted, near, reach, 'y');
  const to = {
    ...wanted,
    x: x === null ? onGrid(wanted.x) : wanted.x + x,
    y: y === null ? onGrid(wanted.y) : wanted.y + y,
  };
  const guides = [
    ...(x === null ? [] : guidesOf(to, near, 'x')),
    ...(y === null ? [] : guidesOf(to, near, 'y')),
  ];
  return { by: { x: to.x - rect.x, y: to.y - rect.y }, guides };
}

type Axis = 'x' | 'y';

/** The places at which a rectangle can be in line with another. */
function stops(rect: Rect, axis: Axis): [number, number, number] {
  const size = axis === 'x' ? rect.width : rect.height;
  return [rect[axis], rect[axis] + size / 2, rect[axis] + size];
}

function attracted(rect: Rect, near: readonly Rect[], reach: number, axis: Axis): number | null {
  let best: number | null = null;
  const own = stops(rect, axis);
  for (const other of near) {
    for (const [place, stop] of stops(other, axis).entries()) {
      const shift = stop - (own[place] as number);
      if (Math.abs(shift) <= reach && (best === null || Math.abs(shift) < Math.abs(best))) best = shift;
    }
  }
  return best;
}

function guidesOf(rect: Rect, near: readonly Rect[], axis: Axis): Guide[] {
  const own = stops(rect, axis);
  const [start, , end] = stops(rect, axis === 'x' ? 'y' : 'x');
  const guides = new Map<number, Guide>();
  for (const other of near) {
    const [from, , to] = stops(other, axis === 'x' ? 'y' : 'x');
    for (const [place, stop] of stops(other, axis).entries()) {
      if (Math.abs(stop - (own[place] as number)) > 0.01) continue;
      const known = guides.get(stop) ?? { axis, at: stop, from: start, to: end };
      guides.set(stop, { ...known, from: Math.min(known.from, from), to: Math.max(known.to, to) });
    }
  }
  return [...guides.values()];
}
