/** Texts on lines that run close together. */
import { describe, expect, it } from 'vitest';
import { overlap, type Rect } from './geometry';
import { spotFor } from './labelPlacement';
import type { Course } from './linePath';

const down = (x: number): Course => ({ from: { x, y: 0 }, to: { x, y: 400 }, c: null, d: null });

describe('the text on a line', () => {
  it('stands in the middle when nothing else does', () => {
    expect(spotFor(down(100), 60, 18, [])).toEqual({ x: 70, y: 191, width: 60, height: 18 });
  });

  it('moves along its line where another text stands', () => {
    const placed: Rect[] = [];
    for (const x of [100, 110, 120, 130]) placed.push(spotFor(down(x), 60, 18, placed));
    for (const [at, one] of placed.entries())
      for (const other of placed.slice(at + 1)) expect(overlap(one, other)).toBe(false);
  });

  it('stands in the middle all the same when there is no room', () => {
    const whole = { x: 0, y: 0, width: 1000, height: 1000 };
    expect(spotFor(down(100), 60, 18, [whole])).toMatchObject({ x: 70, y: 191 });
  });
});
