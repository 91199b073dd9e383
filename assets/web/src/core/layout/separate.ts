/** Moves rectangles apart, by as little as possible. */
import { boundingBox, center, type Rect } from '../scene/geometry';

const MAX_ROUNDS = 60;
const SCALE = 1.1;

/** Moves rectangles in place until there is at least `gap` between each two of them. */
export function separate(rects: Rect[], gap: number): void {
  while (!isSeparated(rects, gap)) {
    // There may be no room between others: spreading all of them always ends with enough.
    const middle = center(boundingBox(rects) as Rect);
    for (const rect of rects) {
      const from = center(rect);
      rect.x += (from.x - middle.x) * (SCALE - 1);
      rect.y += (from.y - middle.y) * (SCALE - 1);
    }
  }
}

/** Pushes overlapping rectangles apart for some rounds. Returns whether none overlap then. */
function isSeparated(rects: Rect[], gap: number): boolean {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let isDone = true;
    eachClosePair(rects, gap, (a, b) => {
      isDone = false;
      push(a, b, gap);
    });
    if (isDone) return true;
  }
  return false;
}

/** Visits pairs that are closer than `gap`, from left to right. */
function eachClosePair(rects: readonly Rect[], gap: number, visit: (a: Rect, b: Rect) => void): void {
  const sorted = rects.toSorted((a, b) => a.x - b.x || a.y - b.y);
  for (const [at, a] of sorted.entries()) {
    for (let next = at + 1; next < sorted.length; next++) {
      const b = sorted[next] as Rect;
      if (b.x >= a.x + a.width + gap) break;
      if (isClose(a, b, gap)) visit(a, b);
    }
  }
}

function isClose(a: Rect, b: Rect, gap: number): boolean {
  return (
    a.x < b.x + b.width + gap &&
    b.x < a.x + a.width + gap &&
    a.y < b.y + b.height + gap &&
    b.y < a.y + a.height + gap
  );
}

/** Moves both apart, horizontally or vertically, whichever is shorter. */
function push(a: Rect, b: Rect, gap: number): void {
  const [from, to] = [center(a), center(b)];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const x = (a.width + b.width) / 2 + gap - Math.abs(dx);
  const y = (a.height + b.height) / 2 + gap - Math.abs(dy);
  // A little more than needed, because of rounding.
  if (x < y) {
    const by = ((dx < 0 ? -1 : 1) * (x + 0.01)) / 2;
    a.x -= by;
    b.x += by;
  } else {
    const by = ((dy < 0 ? -1 : 1) * (y + 0.01)) / 2;
    a.y -= by;
    b.y += by;
  }
}
