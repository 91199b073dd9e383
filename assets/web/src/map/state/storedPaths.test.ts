// @vitest-environment jsdom
/** Tests storing paths across reloads of the tab. */
import { afterEach, expect, it, vi } from 'vitest';
import type { TrackPath } from '@/core/route/types';
import { loadPaths, storePaths } from './storedPaths';

const PATH: TrackPath = {
  points: [
    { x: 0, y: 32 },
    { x: 90.5, y: 32 },
    { x: 90.5, y: -10 },
  ],
  ports: [1, 2],
  trunk: 3,
};

afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
});

it('paths are restored unchanged, and only in their workspace', () => {
  storePaths('shop', new Map([['r1', PATH]]));
  expect([...loadPaths('shop')]).toEqual([['r1', { ...PATH, trunk: -1 }]]);
  expect(loadPaths('other').size).toBe(0);
});

it('loops and paths through waypoints are not stored', () => {
  storePaths(
    'shop',
    new Map([
      ['loop', { ...PATH, isFixed: true }],
      ['via', { ...PATH, pinned: [{ x: 90.5, y: 32 }] }],
    ]),
  );
  expect(loadPaths('shop').size).toBe(0);
});

it.each([
  'nonsense',
  '{}',
  '[1, null, ["r1"]]',
  '[["r1", 1, 9, 0, 0, 1, 1]]',
  '[["r1", 1, 2, 0, 0, 1]]',
  '[["r1", 1, 2, 0, 0, 1, null]]',
  '[[5, 1, 2, 0, 0, 1, 1]]',
])('ignores %s', (text) => {
  sessionStorage.setItem('planroom.routes.shop', text);
  expect(loadPaths('shop').size).toBe(0);
});

it('removes stored paths if the quota is exceeded', () => {
  storePaths('shop', new Map([['r1', PATH]]));
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  storePaths('shop', new Map([['r2', PATH]]));
  expect(loadPaths('shop').size).toBe(0);
});
