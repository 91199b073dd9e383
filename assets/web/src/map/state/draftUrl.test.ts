// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { change } from '@/core/drafts/testing';
import { changedRowQuery, isDraftComparisonOpen } from './draftUrl';

describe('the address of a changed row on the map of the draft', () => {
  it('selects the row in the draft', () => {
    expect(changedRowQuery(change({ id: 'a&b' }))).toBe('?compare=base&c=a%26b');
    expect(changedRowQuery(change({ kind: 'relationship', id: 'r1' }))).toBe('?compare=base&r=r1');
  });

  it('selects the component of owners and links', () => {
    const owner = change({ kind: 'stakeholder', id: '3', draftRowId: '8', row: { componentId: 'web' } });
    expect(changedRowQuery(owner)).toBe('?compare=base&c=web');
  });

  it('does not exist for rows that the map does not show', () => {
    expect(changedRowQuery(change({ change: 'removed' }))).toBeNull();
    expect(changedRowQuery(change({ kind: 'process' }))).toBeNull();
  });
});

it('other overlays of the map replace the comparison', () => {
  expect(isDraftComparisonOpen('?compare=base')).toBe(true);
  expect(isDraftComparisonOpen('?compare=base&process=order')).toBe(false);
  expect(isDraftComparisonOpen('?compare=base&past=3')).toBe(false);
  expect(isDraftComparisonOpen('')).toBe(false);
});
