import { expect, test } from 'vitest';
import { type Line, moveOf } from './treeNavigation';

/** A page, open, with two below it, of which the first can be opened; and a page without any. */
const LINES: Line[] = [
  { depth: 0, isOpen: true },
  { depth: 1, isOpen: false },
  { depth: 1, isOpen: undefined },
  { depth: 0, isOpen: undefined },
];

test('up and down go from line to line, whatever their depth, and stop at the ends', () => {
  expect(moveOf('ArrowDown', LINES, 2)).toEqual({ to: 3 });
  expect(moveOf('ArrowDown', LINES, 3)).toBeUndefined();
  expect(moveOf('ArrowUp', LINES, 3)).toEqual({ to: 2 });
  expect(moveOf('ArrowUp', LINES, 0)).toBeUndefined();
  expect([moveOf('Home', LINES, 2), moveOf('End', LINES, 0)]).toEqual([{ to: 0 }, { to: 3 }]);
});

test('right opens, and then goes in; left closes, and then goes out', () => {
  expect(moveOf('ArrowRight', LINES, 1)).toBe('toggle');
  expect(moveOf('ArrowRight', LINES, 0)).toEqual({ to: 1 });
  expect(moveOf('ArrowRight', LINES, 2)).toBeUndefined();
  expect(moveOf('ArrowLeft', LINES, 0)).toBe('toggle');
  expect(moveOf('ArrowLeft', LINES, 2)).toEqual({ to: 0 });
  expect(moveOf('ArrowLeft', LINES, 3)).toBeUndefined();
});

test('other keys are not the tree’s, and nowhere nothing moves', () => {
  expect(moveOf('a', LINES, 0)).toBeUndefined();
  expect(moveOf('ArrowDown', [], 0)).toBeUndefined();
});
