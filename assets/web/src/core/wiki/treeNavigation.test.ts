import { expect, test } from 'vitest';
import { type TreeLine, treeMove } from './treeNavigation';

/** An expanded page with two children, of which the first can be expanded, and a page without children. */
const LINES: TreeLine[] = [
  { depth: 0, isOpen: true },
  { depth: 1, isOpen: false },
  { depth: 1, isOpen: undefined },
  { depth: 0, isOpen: undefined },
];

test('Up and Down move between lines of any depth and stop at the ends', () => {
  expect(treeMove('ArrowDown', LINES, 2)).toEqual({ to: 3 });
  expect(treeMove('ArrowDown', LINES, 3)).toBeUndefined();
  expect(treeMove('ArrowUp', LINES, 3)).toEqual({ to: 2 });
  expect(treeMove('ArrowUp', LINES, 0)).toBeUndefined();
  expect([treeMove('Home', LINES, 2), treeMove('End', LINES, 0)]).toEqual([{ to: 0 }, { to: 3 }]);
});

test('Right expands and then enters; Left collapses and then leaves', () => {
  expect(treeMove('ArrowRight', LINES, 1)).toBe('toggle');
  expect(treeMove('ArrowRight', LINES, 0)).toEqual({ to: 1 });
  expect(treeMove('ArrowRight', LINES, 2)).toBeUndefined();
  expect(treeMove('ArrowLeft', LINES, 0)).toBe('toggle');
  expect(treeMove('ArrowLeft', LINES, 2)).toEqual({ to: 0 });
  expect(treeMove('ArrowLeft', LINES, 3)).toBeUndefined();
});

test('other keys have no effect', () => {
  expect(treeMove('a', LINES, 0)).toBeUndefined();
  expect(treeMove('ArrowDown', [], 0)).toBeUndefined();
});
