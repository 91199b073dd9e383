import { describe, expect, it } from 'vitest';
import type { Bundle } from '@/api/generated';
import { type Rows, toRows } from '@/core/sync/rows';
import { describeDifference } from './describe';
import { compareRows, differenceSize } from './difference';

function state(components: readonly Record<string, unknown>[]): Rows {
  const bundle = {
    workspace: { revision: 1 },
    components,
    relationships: [],
    stakeholders: [],
    processes: [],
    places: { components: components.map((_, at) => at), relationships: [], processes: [] },
  };
  return toRows(bundle as unknown as Bundle);
}

const web = {
  id: 'web',
  name: 'Web',
  x: 0,
  y: 0,
  revision: 1,
  updatedAt: 1,
  properties: { tier: 1, zone: 'a' },
};

describe('the difference between two states', () => {
  it('is empty if only timestamps differ', () => {
    const found = compareRows(state([web]), state([{ ...web, revision: 5, updatedAt: 9, description: '' }]));
    expect(differenceSize(found)).toBe(0);
    expect(describeDifference(found)).toBe('');
  });

  it('is described by kind and change', () => {
    const was = state([web, { ...web, id: 'old' }, { ...web, id: 'moved' }]);
    const now = state([
      { ...web, name: 'Window' },
      { ...web, id: 'moved', x: 9 },
      { ...web, id: 'new' },
    ]);
    const found = compareRows(was, now);
    expect(describeDifference(found)).toBe(
      '1 component added, 1 component changed, 1 component moved, 1 component removed',
    );
    expect(found.component.changed[0]?.fields).toEqual(['name']);
  });

  it('lists properties individually', () => {
    const found = compareRows(
      state([web]),
      state([{ ...web, properties: { zone: 'a', tier: 2, mine: true } }]),
    );
    expect(found.component.changed[0]?.fields).toEqual(['properties.tier', 'properties.mine']);
  });
});
