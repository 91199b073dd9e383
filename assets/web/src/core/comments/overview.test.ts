import { expect, test } from 'vitest';
import type { AnchorCounts } from '@/api/generated';
import { countsOf, describeCounts, isSameAnchor, openAnchors } from './overview';

const counts = (of: Partial<AnchorCounts>): AnchorCounts => ({
  type: 'component',
  detached: false,
  open: 0,
  questions: 0,
  inaccurate: 0,
  resolved: 0,
  ...of,
});

test('anchors are found by type and ID', () => {
  const anchors = [
    counts({ id: 'a', open: 2 }),
    counts({ id: 'b', resolved: 1 }),
    counts({ type: 'workspace', open: 1 }),
  ];
  expect(countsOf({ anchors }, 'component', 'a')?.open).toBe(2);
  expect(countsOf({ anchors }, 'relationship', 'a')).toBeUndefined();
  expect(countsOf({ anchors }, 'workspace')?.open).toBe(1);
  expect([...openAnchors({ anchors }, 'component').keys()]).toEqual(['a']);
  expect(openAnchors(undefined, 'component').size).toBe(0);
});

test('counts are described in words', () => {
  expect(describeCounts({ open: 1, inaccurate: 0 })).toBe('1 open comment');
  expect(describeCounts({ open: 2, inaccurate: 1 })).toBe('2 open comments, 1 says that the map is wrong');
  expect(describeCounts({ open: 3, inaccurate: 2 })).toBe('3 open comments, 2 say that the map is wrong');
});

test('anchors are compared by type and ID', () => {
  expect(isSameAnchor({ type: 'workspace' }, { type: 'workspace' })).toBe(true);
  expect(isSameAnchor({ type: 'component', id: 'a' }, { type: 'component', id: 'b' })).toBe(false);
});
