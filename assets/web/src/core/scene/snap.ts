/** Snapping of moved rectangles to neighbors and the grid. */
import { type Point, type Rect, snapToGrid } from './geometry';

/** An alignment guide. */
export interface Guide {
  axis: 'x' | 'y';
  /** The position on the axis. */
  at: number;
  /** The extent on the other axis. */
  from: number;
  to: number;
}

export interface SnapResult {
  /** The snapped movement. */
  by: Point;
  guides: readonly Guide[];
}

/**
 * Moves `rect` by `by` and aligns it with a neighbor whose edge or center is within `reach`. If there is none, its
 * corner snaps to the grid.
 */
export function snap(rect: Rect, by: Point, neighbors: Iterable<Rect>, reach: number): SnapResult {
  const moved = { ...rect, x: rect.x + by.x, y: rect.y + by.y };
  const near = [...neighbors];
  const x = nearestSnap(moved, near, reach, 'x');
  const y = nearestSnap(moved, near, reach, 'y');
  const to = {
    ...moved,
    x: x === null ? snapToGrid(moved.x) : moved.x + x,
    y: y === null ? snapToGrid(moved.y) : moved.y + y,
  };
  const guides = [
    ...(x === null ? [] : guidesOf(to, near, 'x')),
    ...(y === null ? [] : guidesOf(to, near, 'y')),
  ];
  return { by: { x: to.x - rect.x, y: to.y - rect.y }, guides };
}

type Axis = 'x' | 'y';

/** The snap positions of a rectangle on an axis: start, center and end. */
function snapPositions(rect: Rect, axis: Axis): [number, number, number] {
  const size = axis === 'x' ? rect.width : rect.height;
  return [rect[axis], rect[axis] + size / 2, rect[axis] + size];
}

function nearestSnap(rect: Rect, near: readonly Rect[], reach: number, axis: Axis): number | null {
  let best: number | null = null;
  const own = snapPositions(rect, axis);
  for (const other of near) {
    for (const [place, stop] of snapPositions(other, axis).entries()) {
      const shift = stop - (own[place] as number);
      if (Math.abs(shift) <= reach && (best === null || Math.abs(shift) < Math.abs(best))) best = shift;
    }
  }
  return best;
}

function guidesOf(rect: Rect, near: readonly Rect[], axis: Axis): Guide[] {
  const own = snapPositions(rect, axis);
  const [start, , end] = snapPositions(rect, axis === 'x' ? 'y' : 'x');
  const guides = new Map<number, Guide>();
  for (const other of near) {
    const [from, , to] = snapPositions(other, axis === 'x' ? 'y' : 'x');
    for (const [place, stop] of snapPositions(other, axis).entries()) {
      if (Math.abs(stop - (own[place] as number)) > 0.01) continue;
      const known = guides.get(stop) ?? { axis, at: stop, from: start, to: end };
      guides.set(stop, { ...known, from: Math.min(known.from, from), to: Math.max(known.to, to) });
    }
  }
  return [...guides.values()];
}
