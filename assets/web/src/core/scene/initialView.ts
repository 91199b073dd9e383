/** Where one looks first at a map that is too large for the window. */
import { boundingBox, type Rect } from './geometry';

/** So many places are tried; of a larger map every second, third, … */
const MAX_CANDIDATES = 400;

/**
 * The part of the map, of the given size, that shows most components whole; of several the one that comes first as one
 * reads. What is smaller than that stands in its middle. None of an empty map.
 */
export function densestArea(rects: readonly Rect[], width: number, height: number): Rect | null {
  const step = Math.ceil(rects.length / MAX_CANDIDATES);
  const corners = rects
    .filter((_, at) => at % step === 0)
    .sort((one, other) => one.y - other.y || one.x - other.x);
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
