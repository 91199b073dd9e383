/** Where one looks first at a large map. */
import { describe, expect, it } from 'vitest';
import type { Rect } from './geometry';
import { densestArea } from './initialView';

const at = (x: number, y: number): Rect => ({ x, y, width: 100, height: 50 });

describe('the fullest part of a map', () => {
  it('is where most components are whole, not where the map begins', () => {
    const part = densestArea([at(0, 0), at(2000, 0), at(2150, 0), at(2000, 100)], 400, 400);
    expect(part).toEqual({ x: 1925, y: -125, width: 400, height: 400 });
  });

  it('is the first as one reads, where several show as many', () => {
    const part = densestArea([at(2000, 500), at(1000, 0), at(0, 900)], 300, 300);
    expect(part).toEqual({ x: 900, y: -125, width: 300, height: 300 });
  });

  it('has at least one component, even one that is too large for it', () => {
    expect(densestArea([{ x: 0, y: 0, width: 900, height: 50 }], 300, 300)).toMatchObject({ x: 300 });
    expect(densestArea([], 300, 300)).toBeNull();
  });

  it('is found of a large map without trying every place', () => {
    const grid = Array.from({ length: 10_000 }, (_, one) =>
      at((one % 100) * 200, Math.floor(one / 100) * 100),
    );
    const began = performance.now();
    expect(densestArea(grid, 500, 800)).not.toBeNull();
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
