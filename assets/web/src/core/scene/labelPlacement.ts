/** Where the text on a line goes, so that two texts do not cover each other. */
import { overlaps, type Rect } from './geometry';
import { type LinePath, pointAt } from './linePath';

/** Parts of the way, the best first. */
const LABEL_POSITIONS = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78] as const;

/** A place for a text of this size: the one nearest to the middle that is free, or the middle where none is. */
export function placeLabel(path: LinePath, width: number, height: number, taken: readonly Rect[]): Rect {
  const at = (part: number): Rect => {
    const { x, y } = pointAt(path, part);
    return { x: x - width / 2, y: y - height / 2, width, height };
  };
  const free = LABEL_POSITIONS.find((part) => !taken.some((one) => overlaps(one, at(part))));
  return at(free ?? LABEL_POSITIONS[0]);
}
