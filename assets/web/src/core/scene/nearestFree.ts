/** Moves a rectangle as little as possible so that it covers no others. */
import { expandRect, overlaps, type Rect } from './geometry';

/** Maximum number of obstacles to move around; more would take too long. */
const MAX_OBSTACLES = 24;

/**
 * The position nearest to that of `rect` in which it overlaps no obstacle. If there is none within `reach`, or if there
 * are too many obstacles, returns `rect`.
 */
export function nearestFree(rect: Rect, obstacles: readonly Rect[], reach: number): Rect {
  const area = expandRect(rect, reach);
  const near = obstacles.filter((obstacle) => overlaps(obstacle, area));
  const isFree = (place: Rect) => !near.some((obstacle) => overlaps(obstacle, place));
  if (isFree(rect) || near.length > MAX_OBSTACLES) return rect;
  // The nearest free position touches obstacles, or is aligned with the original one.
  const { width, height } = rect;
  const columns = [rect.x, ...near.flatMap((other) => [other.x - width, other.x + other.width])];
  const rows = [rect.y, ...near.flatMap((other) => [other.y - height, other.y + other.height])];
  let best = rect;
  let least = reach;
  for (const x of columns) {
    for (const y of rows) {
      const distance = Math.hypot(x - rect.x, y - rect.y);
      const place = { x, y, width, height };
      if (distance <= least && isFree(place)) [best, least] = [place, distance];
    }
  }
  return best;
}
