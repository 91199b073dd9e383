import { describe, expect, it } from 'vitest';
import type { Selector, ViewDefinition } from '../sync/viewRows';
import { excludeComponents, includeComponents } from './membership';

const ALL = ['a', 'b', 'c', 'd'];

function definition(include: Selector[], exclude: Selector[] = []): ViewDefinition {
  return { include, exclude, relationTypes: null, outside: 'hidden', collapsed: [], colorBy: null, show: {} };
}

/** Lists of IDs, and tags that consist of the IDs of their components. */
function resolve({ include, exclude }: ViewDefinition): Set<string> {
  const matches = (id: string) => (one: Selector) =>
    (one.ids ?? ALL).includes(id) && (one.tags?.some((tag) => tag.includes(id)) ?? true);
  return new Set(
    ALL.filter((id) => (include.length === 0 || include.some(matches(id))) && !exclude.some(matches(id))),
  );
}

describe('adding components to a view', () => {
  it('lists them, in the existing list if there is one', () => {
    expect(includeComponents(definition([{ ids: ['a'] }]), ['b'], resolve).include).toEqual([
      { ids: ['a', 'b'] },
    ]);
    expect(includeComponents(definition([{ tags: ['a'] }]), ['b'], resolve).include).toEqual([
      { tags: ['a'] },
      { ids: ['b'] },
    ]);
  });

  it('changes nothing if a rule includes them already', () => {
    const rules = definition([{ tags: ['ab'] }]);
    expect(includeComponents(rules, ['b'], resolve)).toEqual(rules);
    expect(includeComponents(definition([]), ['b'], resolve).include).toEqual([]);
  });

  it('removes them from the list of excluded ones', () => {
    const rules = definition([{ tags: ['ab'] }], [{ ids: ['b', 'c'] }]);
    const next = includeComponents(rules, ['b'], resolve);
    expect(next).toEqual(definition([{ tags: ['ab'] }], [{ ids: ['c'] }]));
    expect([...resolve(next)]).toEqual(['a', 'b']);
  });

  it('fills lists up to their limit', () => {
    const full = Array.from({ length: 999 }, (_, at) => `x${at}`);
    const { include } = includeComponents(definition([{ ids: full }]), ['b', 'c'], resolve);
    expect(include.map(({ ids }) => ids?.length)).toEqual([1000, 1]);
  });
});

describe('removing components from a view', () => {
  it('takes them off the list', () => {
    const next = excludeComponents(definition([{ ids: ['a', 'b'] }]), ['b'], resolve);
    expect(next).toEqual(definition([{ ids: ['a'] }]));
  });

  it('excludes them if a rule includes them', () => {
    const next = excludeComponents(definition([{ tags: ['ab'] }]), ['b'], resolve);
    expect(next).toEqual(definition([{ tags: ['ab'] }], [{ ids: ['b'] }]));
    expect(excludeComponents(definition([]), ['b'], resolve).exclude).toEqual([{ ids: ['b'] }]);
  });

  it('never turns an emptied list into every component', () => {
    const next = excludeComponents(definition([{ ids: ['a'] }]), ['a'], resolve);
    expect([...resolve(next)]).toEqual([]);
  });

  it('is undone by adding them again', () => {
    for (const rules of [
      definition([]),
      definition([{ tags: ['abc'] }]),
      definition([{ ids: ['a', 'b'] }]),
    ]) {
      const next = includeComponents(excludeComponents(rules, ['b'], resolve), ['b'], resolve);
      expect(resolve(next)).toEqual(resolve(rules));
    }
  });
});
