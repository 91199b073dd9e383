import { describe, expect, it } from 'vitest';
import { legendEntries, NEEDS_NO_OWNER } from '../model/lens';
import { buildModel, unowned } from '../model/model';
import { sample, shop } from '../model/testing';
import { NO_FILTERS } from '../model/viewOptions';
import { componentFilter, countFacets, toggleFilter } from './filter';
import { matchesTerms, matchScore, prepareEntry, rank, searchTerms } from './fuzzy';
import { searchComponents } from './search';

describe('filters', () => {
  const filtered = (filters: Partial<typeof NO_FILTERS>) =>
    [...shop.rows.component.values()]
      .filter(componentFilter({ ...NO_FILTERS, ...filters }, shop))
      .map(({ id }) => id);

  it('match components that satisfy every facet', () => {
    expect(filtered({})).toEqual(['web', 'pay', 'db']);
    expect(filtered({ typeIds: new Set(['database']) })).toEqual(['db']);
    expect(filtered({ lifecycles: new Set(['']) })).toEqual(['pay', 'db']);
    expect(filtered({ holders: new Set(['core']) })).toEqual(['web', 'pay']);
    expect(filtered({ holders: new Set(['']) })).toEqual(['db']);
    expect(filtered({ holders: new Set(['core']), lifecycles: new Set(['live']) })).toEqual(['web']);
    expect(filtered({ text: 'money' })).toEqual(['pay']);
  });

  it('do not count components of type person as unowned, consistent with the legend', () => {
    const rows = { ...shop.rows, component: new Map(shop.rows.component) };
    const db = shop.rows.component.get('db');
    if (!db) throw new Error('the shop has no database');
    rows.component.set('customer', { ...db, id: 'customer', typeId: 'person' });
    const model = buildModel(rows, shop.catalogue);
    expect(unowned(model).map(({ id }) => id)).toEqual(['db']);
    for (const lens of ['owner', 'unowned'] as const) {
      expect(legendEntries(lens, model)).toContainEqual(
        expect.objectContaining({ key: NEEDS_NO_OWNER, label: 'Person', count: 1 }),
      );
      expect(legendEntries(lens, model).at(-1)).toMatchObject({ key: '', count: 1 });
    }
    const filters = { ...NO_FILTERS, holders: new Set(['']) };
    expect([...rows.component.values()].filter(componentFilter(filters, model)).map(({ id }) => id)).toEqual([
      'db',
    ]);
  });

  it('can be toggled', () => {
    const once = toggleFilter(NO_FILTERS, 'typeIds', 'service');
    expect(once.typeIds.has('service')).toBe(true);
    expect(toggleFilter(once, 'typeIds', 'service').typeIds.size).toBe(0);
    expect(countFacets(shop).relationTypeIds.map(({ key, count }) => [key, count])).toEqual([
      ['calls', 2],
      ['contains', 1],
    ]);
  });
});

describe('search', () => {
  const found = (query: string) => searchComponents(shop, query).map(({ id }) => id);

  it('covers name, ID, type, description and people, and ignores accents', () => {
    expect(found('cafe')).toEqual(['db']);
    expect(found('database')).toEqual(['db']);
    expect(found('money')).toEqual(['pay']);
    expect(found('name of core')).toEqual(['web', 'pay']);
    expect(found('pmt')).toEqual(['pay']);
    expect(found('zzz')).toEqual([]);
    expect(found('   ')).toEqual([]);
  });

  it('finds technology and tags', () => {
    const rows = sample({ components: [{ id: 'web', technology: ['Valkey'], tags: ['pci'] }, { id: 'db' }] });
    const model = buildModel(rows, shop.catalogue);
    expect(searchComponents(model, 'valkey').map(({ id }) => id)).toEqual(['web']);
    expect(searchComponents(model, 'pci').map(({ id }) => id)).toEqual(['web']);
  });

  it('has a faster test for what has a score', () => {
    const things = [
      { title: 'Payments', words: ['core', 'Größe'], text: 'Takes the money' },
      { title: 'Web shop' },
    ].map(prepareEntry);
    for (const query of [
      'pmt',
      'pay',
      'groß',
      'money core',
      'ws',
      'shop web',
      'zzz',
      'web zzz',
      ' ',
      'p',
      'ymt',
    ])
      for (const thing of things) {
        const terms = searchTerms(query);
        const isFound = terms.length > 0 && matchScore(terms, thing) > 0;
        expect(matchesTerms(terms, thing), query).toBe(isFound);
      }
  });

  it('ranks exact matches first, and accepts any text', () => {
    const titles = ['pay later', 'pay', 'prepay', 'repay'];
    expect(
      rank(
        titles.map((title) => [title, { title }] as const),
        'pay',
        9,
      ).slice(0, 2),
    ).toEqual(['pay', 'pay later']);
    for (const query of ['(', '[a-', '\\', '.*', '漢字', '<script>', 'a-b', 'x'.repeat(10_000)])
      expect(found(query)).toEqual([]);
  });
});
