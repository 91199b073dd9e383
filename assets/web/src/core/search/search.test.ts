import { describe, expect, it } from 'vitest';
import { shop } from '../model/testing';
import { NO_FILTERS } from '../model/viewOptions';
import { componentFilter, countFacets, toggleFilter } from './filter';
import { rank } from './fuzzy';
import { searchComponents } from './search';

describe('filters', () => {
  const shown = (filters: Partial<typeof NO_FILTERS>) =>
    [...shop.rows.component.values()]
      .filter(componentFilter({ ...NO_FILTERS, ...filters }, shop))
      .map(({ id }) => id);

  it('let all through that fit every kind of choice', () => {
    expect(shown({})).toEqual(['web', 'pay', 'db']);
    expect(shown({ typeIds: new Set(['database']) })).toEqual(['db']);
    expect(shown({ lifecycles: new Set(['']) })).toEqual(['pay', 'db']);
    expect(shown({ holders: new Set(['core']) })).toEqual(['web', 'pay']);
    expect(shown({ holders: new Set(['']) })).toEqual(['db']);
    expect(shown({ holders: new Set(['core']), lifecycles: new Set(['live']) })).toEqual(['web']);
    expect(shown({ text: 'money' })).toEqual(['pay']);
  });

  it('come and go with the same press', () => {
    const once = toggleFilter(NO_FILTERS, 'typeIds', 'service');
    expect(once.typeIds.has('service')).toBe(true);
    expect(toggleFilter(once, 'typeIds', 'service').typeIds.size).toBe(0);
    expect(countFacets(shop).relationTypeIds.map(({ key, count }) => [key, count])).toEqual([
      ['calls', 2],
      ['contains', 1],
    ]);
  });
});

describe('finding', () => {
  const found = (query: string) => searchComponents(shop, query).map(({ id }) => id);

  it('looks at name, id, type, description and people, without regard to accents', () => {
    expect(found('cafe')).toEqual(['db']);
    expect(found('database')).toEqual(['db']);
    expect(found('money')).toEqual(['pay']);
    expect(found('name of core')).toEqual(['web', 'pay']);
    expect(found('pmt')).toEqual(['pay']);
    expect(found('zzz')).toEqual([]);
    expect(found('   ')).toEqual([]);
  });

  it('puts what is typed in full first, and takes any text', () => {
    const titles = ['pay later', 'pay', 'prepay', 'repay'];
    expect(
      rank(
        titles.map((title) => [title, { title }] as const),
        'pay',
        9,
      ).slice(0, 2),
    ).toEqual(['pay', 'pay later']);
    for (const odd of ['(', '[a-', '\\', '.*', '漢字', '<script>', 'a-b', 'x'.repeat(10_000)])
      expect(found(odd)).toEqual([]);
  });
});
