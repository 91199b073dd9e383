import { describe, expect, it } from 'vitest';
import { resolvePath, type ShapeName, shape, shapeOf, shapePath } from './shapes';
import data from './shapes.json';

const NAMES = Object.keys(data.shapes) as ShapeName[];

it('coordinates are a percentage of the width or height, a distance, or a sum of both', () => {
  expect(resolvePath('M 0 50% L 100%-4 50%+6 C 25% 0 -2 3 100% 100% Z', 200, 80)).toBe(
    'M 0 40 L 196 46 C 50 0 -2 3 200 80 Z',
  );
  expect(() => resolvePath('M 5px 0', 200, 80)).toThrow('5px');
});

describe.each(NAMES)('the shape %s', (name) => {
  it.each([
    [180, 64],
    [260, 124],
  ])('fits inside a card of %d × %d with space for text', (width, height) => {
    for (const part of ['outline', 'detail', 'figure'] as const) {
      const numbers =
        shapePath(name, part, width, height)
          .match(/-?[\d.]+/g)
          ?.map(Number) ?? [];
      expect(numbers.length % 2).toBe(0);
      for (const [at, value] of numbers.entries()) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(at % 2 === 0 ? width : height);
      }
    }
    const { top, right, bottom, left } = shape(name).inset;
    expect(width - left - right).toBeGreaterThan(100);
    expect(height - top - bottom).toBeGreaterThan(40);
  });
});

it('types have their conventional shapes, and collapsed groups are stacks', () => {
  expect(shapeOf('database', false)).toBe('cylinder');
  expect(shapeOf('storage', false)).toBe('cylinder');
  expect(shapeOf('queue', false)).toBe('pipe');
  expect(shapeOf('topic', false)).toBe('pipe');
  expect(shapeOf('person', false)).toBe('person');
  expect(shape(shapeOf('external-system', false)).dash).toBeDefined();
  expect(shapeOf('service', false)).toBe('rectangle');
  expect(shapeOf('constructor', false)).toBe('rectangle');
  expect(shapeOf('database', true)).toBe('stack');
});
