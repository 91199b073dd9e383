/** The initial view of a map that is too large for the window. */
import { boundingBox, type Rect } from './geometry';

/** Maximum number of candidate positions. Larger maps use every second or third component, and so on. */
const MAX_CANDIDATES = 400;

/**
 * The part of the map, of the given size, that contains most components completely; with equal numbers the first in
 * reading order. Smaller contents are centered. Null for an empty map.
 */
export function densestArea(rects: readonly Rect[], width: number, height: number): Rect | null {
  const step = Math.ceil(rects.length / MAX_CANDIDATES);
  const corners = rects.filter((_, at) => at % step === 0).sort((a, b) => a.y - b.y || a.x - b.x);
  let most: readonly Rect[] = [];
  for (const { x, y } of corners) {
    const inside = rects.filter(
      (rect) =>
        rect.x >= x && rect.y >= y && rect.x + rect.width <= x + width && rect.y + rect.height <= y + height,
    );
    if (inside.length > most.length) most = inside;
  }
  const shown = boundingBox(most.length > 0 ? most : corners.slice(0, 1));
  if (!shown) return null;
  return {
    x: shown.x + shown.width / 2 - width / 2,
    y: shown.y + shown.height / 2 - height / 2,
    width,
    height,
  };
}
