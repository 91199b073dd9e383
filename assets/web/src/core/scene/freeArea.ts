/** The part of an area that is not covered by other elements. */
import { overlaps, type Rect } from './geometry';

/** Free areas smaller than this, in pixels, are ignored; the whole area is used instead. */
const MIN_SIDE = 160;

/** The largest part of `whole` above, below, left or right of each of the `covers`. */
export function largestFreeArea(whole: Rect, covers: readonly Rect[]): Rect {
  return covers.reduce((room, cover) => (overlaps(room, cover) ? largestBeside(room, cover) : room), whole);
}

function largestBeside(room: Rect, cover: Rect): Rect {
  const parts = areasBeside(room, cover);
  if (parts.length === 0) return room;
  return parts.reduce((most, part) => (area(part) > area(most) ? part : most));
}

/** The areas above, below, left and right of a cover that are large enough to use. */
export function areasBeside({ x, y, width, height }: Rect, cover: Rect): Rect[] {
  const [right, bottom] = [cover.x + cover.width, cover.y + cover.height];
  return [
    { x, y, width, height: cover.y - y },
    { x, y: bottom, width, height: y + height - bottom },
    { x, y, width: cover.x - x, height },
    { x: right, y, width: x + width - right, height },
  ].filter((part) => part.width >= MIN_SIDE && part.height >= MIN_SIDE);
}

function area({ width, height }: Rect): number {
  return width * height;
}
