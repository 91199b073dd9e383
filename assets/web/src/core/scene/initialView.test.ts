import { describe, expect, it } from 'vitest';
import type { Rect } from './geometry';
import { densestArea } from './initialView';

const at = (x: number, y: number): Rect => ({ x, y, width: 100, height: 50 });

describe('the densest area of a map', () => {
  it('contains the most complete components, wherever they are', () => {
    const part = densestArea([at(0, 0), at(2000, 0), at(2150, 0), at(2000, 100)], 400, 400);
    expect(part).toEqual({ x: 1925, y: -125, width: 400, height: 400 });
  });

  it('is the first in reading order if several contain equally many', () => {
    const part = densestArea([at(2000, 500), at(1000, 0), at(0, 900)], 300, 300);
    expect(part).toEqual({ x: 900, y: -125, width: 300, height: 300 });
  });

  it('contains at least one component, even if it is too large', () => {
    expect(densestArea([{ x: 0, y: 0, width: 900, height: 50 }], 300, 300)).toMatchObject({ x: 300 });
    expect(densestArea([], 300, 300)).toBeNull();
  });

  it('is found on a large map without trying every position', () => {
    let reads = 0;
    const grid = Array.from({ length: 10_000 }, (_, index) => ({
      ...at((index % 100) * 200, Math.floor(index / 100) * 100),
      get width() {
        reads += 1;
        return 100;
      },
    }));
    expect(densestArea(grid, 500, 800)).not.toBeNull();
    expect(reads).toBeLessThan(grid.length * 500);
  });
});
