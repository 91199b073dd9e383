/** Texts on lines that run close together. */
import { describe, expect, it } from 'vitest';
import { overlaps, type Rect } from './geometry';
import { placeLabel } from './labelPlacement';
import type { LinePath } from './linePath';

const down = (x: number): LinePath => ({ from: { x, y: 0 }, to: { x, y: 400 }, c: null, d: null });

describe('the text on a line', () => {
  it('stands in the middle when nothing else does', () => {
    expect(placeLabel(down(100), 60, 18, [])).toEqual({ x: 70, y: 191, width: 60, height: 18 });
  });

  it('moves along its line where another text stands', () => {
    const placed: Rect[] = [];
    for (const x of [100, 110, 120, 130]) placed.push(placeLabel(down(x), 60, 18, placed));
    for (const [at, one] of placed.entries())
      for (const other of placed.slice(at + 1)) expect(overlaps(one, other)).toBe(false);
  });

  it('stands in the middle all the same when there is no room', () => {
    const whole = { x: 0, y: 0, width: 1000, height: 1000 };
    expect(placeLabel(down(100), 60, 18, [whole])).toMatchObject({ x: 70, y: 191 });
  });
});
