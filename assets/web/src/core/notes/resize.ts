/** Resizes notes by their handles. Images keep their proportions. */
import { type Point, type Rect, snapToGrid } from '../scene/geometry';
import type { ResizeHandle } from '../scene/resize';
import { MAX_NOTE_SIDE, MIN_NOTE_SIZE } from './note';

/** The handles of notes and frames. Images have only corners. */
export const NOTE_HANDLES: readonly ResizeHandle[] = [
  { x: -1, y: -1 },
  { x: 0, y: -1 },
  { x: 1, y: -1 },
  { x: -1, y: 0 },
  { x: 1, y: 0 },
  { x: -1, y: 1 },
  { x: 0, y: 1 },
  { x: 1, y: 1 },
];

/** The rectangle after a handle was moved by `by`. Moved edges snap to the grid, unless `isExact`. */
export function resizedNote(rect: Rect, handle: ResizeHandle, by: Point, isExact = false): Rect {
  const [x, width] = span(rect.x, rect.width, handle.x, by.x, MIN_NOTE_SIZE.width, isExact);
  const [y, height] = span(rect.y, rect.height, handle.y, by.y, MIN_NOTE_SIZE.height, isExact);
  return { x, y, width, height };
}

function span(
  start: number,
  length: number,
  edge: -1 | 0 | 1,
  by: number,
  least: number,
  isExact: boolean,
): [start: number, length: number] {
  const moved = (from: number) => (isExact ? Math.round(from + by) : snapToGrid(from + by));
  const end = start + length;
  if (edge < 0) {
    const to = Math.max(end - MAX_NOTE_SIDE, Math.min(moved(start), end - least));
    return [to, end - to];
  }
  return edge > 0 ? [start, Math.min(MAX_NOTE_SIDE, Math.max(moved(end) - start, least))] : [start, length];
}

/** Like `resizedNote`, with the same proportions. The opposite corner stays in place. */
export function resizedInProportion(rect: Rect, handle: ResizeHandle, by: Point): Rect {
  const wide = (rect.width + handle.x * by.x) / rect.width;
  const high = (rect.height + handle.y * by.y) / rect.height;
  const wanted = handle.x === 0 ? high : handle.y === 0 ? wide : Math.max(wide, high);
  const least = Math.max(MIN_NOTE_SIZE.width / rect.width, MIN_NOTE_SIZE.height / rect.height);
  const most = MAX_NOTE_SIDE / Math.max(rect.width, rect.height);
  const scale = Math.min(most, Math.max(least, wanted));
  const [width, height] = [Math.round(rect.width * scale), Math.round(rect.height * scale)];
  return {
    x: handle.x < 0 ? rect.x + rect.width - width : rect.x,
    y: handle.y < 0 ? rect.y + rect.height - height : rect.y,
    width,
    height,
  };
}

/** The size of a new image on the map: at most this large, with its own proportions. */
export function imageSize(
  { width, height }: { width: number; height: number },
  most: { width: number; height: number },
): { width: number; height: number } {
  const scale = Math.min(1, most.width / width, most.height / height);
  return {
    width: Math.max(MIN_NOTE_SIZE.width, Math.round(width * scale)),
    height: Math.max(MIN_NOTE_SIZE.height, Math.round(height * scale)),
  };
}
