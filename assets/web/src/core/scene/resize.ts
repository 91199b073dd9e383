/** Resizes groups. A group is never smaller than its contents. */
import { boundingBox, type Point, type Rect, snapToGrid } from './geometry';
import { groupBounds, MIN_GROUP_SIZE, type Scene } from './scene';

/** The edges that a handle moves: -1 for the left or top edge, 1 for the right or bottom edge, 0 for none. */
export interface ResizeHandle {
  x: -1 | 0 | 1;
  y: -1 | 0 | 1;
}

/** The handles of a group. The handle that connects the group is in the middle of its top edge. */
export const RESIZE_HANDLES: readonly ResizeHandle[] = [
  { x: -1, y: -1 },
  { x: 1, y: -1 },
  { x: -1, y: 0 },
  { x: 1, y: 0 },
  { x: -1, y: 1 },
  { x: 0, y: 1 },
  { x: 1, y: 1 },
];

/** The area of a group that it must keep to surround its contents; null if it is empty. */
export function occupiedArea(scene: Scene, rects: readonly Rect[], id: string): Rect | null {
  const group = scene.indexOf.get(id);
  const bounds = boundingBox(rects.filter((_, at) => scene.nodes[at]?.parent === group));
  return bounds && groupBounds(bounds);
}

/** The rectangle after a handle was moved by `by`. Moved edges snap to the grid, unless `isExact`. */
export function resizedRect(
  rect: Rect,
  occupied: Rect | null,
  { x, y }: ResizeHandle,
  by: Point,
  isExact = false,
): Rect {
  const [left, right] = resizedSpan(
    [rect.x, rect.x + rect.width],
    occupied && [occupied.x, occupied.x + occupied.width],
    MIN_GROUP_SIZE.width,
    { edge: x, by: by.x, isExact },
  );
  const [top, bottom] = resizedSpan(
    [rect.y, rect.y + rect.height],
    occupied && [occupied.y, occupied.y + occupied.height],
    MIN_GROUP_SIZE.height,
    { edge: y, by: by.y, isExact },
  );
  return { x: left, y: top, width: right - left, height: bottom - top };
}

type Span = readonly [start: number, end: number];

function resizedSpan(
  [start, end]: Span,
  occupied: Span | null,
  minimum: number,
  { edge, by, isExact }: { edge: -1 | 0 | 1; by: number; isExact: boolean },
): Span {
  const moved = (from: number) => (isExact ? Math.round(from + by) : snapToGrid(from + by));
  if (edge < 0) return [Math.min(moved(start), end - minimum, occupied?.[0] ?? end), end];
  if (edge > 0) return [start, Math.max(moved(end), start + minimum, occupied?.[1] ?? start)];
  return [start, end];
}
