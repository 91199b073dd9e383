import { expect, it } from 'vitest';
import { nearestFree } from './nearestFree';

const rect = (x: number, y: number, width = 100, height = 20) => ({ x, y, width, height });

it('keeps a free rectangle, also if it touches another', () => {
  expect(nearestFree(rect(0, 0), [rect(100, 0), rect(0, 20)], 50)).toEqual(rect(0, 0));
});

it('moves by the shortest distance', () => {
  expect(nearestFree(rect(0, 0), [rect(-50, 5, 200, 100)], 50)).toEqual(rect(0, -15));
  expect(nearestFree(rect(0, 0), [rect(90, -100, 300, 200)], 50)).toEqual(rect(-10, 0));
});

it('moves around several obstacles', () => {
  const obstacles = [rect(-100, -10, 120, 40), rect(60, -10, 120, 40), rect(-100, -30, 300, 20)];
  expect(nearestFree(rect(0, 0), obstacles, 100)).toEqual(rect(0, 30));
});

it('stays if there is no free position within reach', () => {
  expect(nearestFree(rect(0, 0), [rect(-500, -500, 1000, 1000)], 100)).toEqual(rect(0, 0));
});
