import { describe, expect, it } from 'vitest';
import { largestFreeArea } from './freeArea';

const phone = { x: 0, y: 0, width: 390, height: 700 };
const desk = { x: 0, y: 0, width: 1200, height: 800 };

describe('the free area of the map', () => {
  it('is above a panel that spans the width', () => {
    const sheet = { x: 0, y: 400, width: 390, height: 300 };
    expect(largestFreeArea(phone, [sheet])).toEqual({ x: 0, y: 0, width: 390, height: 400 });
  });

  it('is next to a panel in the corner, and above a bar at the bottom', () => {
    const sheet = { x: 12, y: 300, width: 350, height: 488 };
    expect(largestFreeArea(desk, [sheet])).toEqual({ x: 362, y: 0, width: 838, height: 800 });
    const bar = { x: 300, y: 680, width: 700, height: 100 };
    expect(largestFreeArea(desk, [sheet, bar])).toEqual({ x: 362, y: 0, width: 838, height: 680 });
  });

  it('is the whole map if nothing covers it or if almost nothing is left', () => {
    expect(largestFreeArea(phone, [])).toBe(phone);
    expect(largestFreeArea(phone, [{ x: 0, y: 900, width: 390, height: 100 }])).toBe(phone);
    expect(largestFreeArea(phone, [{ x: 0, y: 100, width: 390, height: 600 }])).toBe(phone);
  });
});
