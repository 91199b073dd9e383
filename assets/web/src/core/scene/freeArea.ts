/** What of a surface can be seen while something lies over it. */
import { overlaps, type Rect } from './geometry';

/** What is less wide or high than so is no use: one looks at what is covered rather than there. In pixels. */
const MIN_SIDE = 160;

/** The largest part of `whole` beside what covers it: above, below, left or right of each. */
export function largestFreeArea(whole: Rect, covers: readonly Rect[]): Rect {
  return covers.reduce((room, cover) => (overlaps(room, cover) ? largestBeside(room, cover) : room), whole);
}

function largestBeside(room: Rect, cover: Rect): Rect {
  const { x, y, width, height } = room;
  const [right, bottom] = [cover.x + cover.width, cover.y + cover.height];
  const parts = [
    { x, y, width, height: cover.y - y },
    { x, y: bottom, width, height: y + height - bottom },
    { x, y, width: cover.x - x, height },
    { x: right, y, width: x + width - right, height },
  ].filter((part) => part.width >= MIN_SIDE && part.height >= MIN_SIDE);
  if (parts.length === 0) return room;
  return parts.reduce((most, part) => (area(part) > area(most) ? part : most));
}

function area({ width, height }: Rect): number {
  return width * height;
}
