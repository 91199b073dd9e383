import { describe, expect, it } from 'vitest';
import {
  choose,
  chooseAll,
  commonSide,
  conflictItems,
  openItems,
  rowChoiceTexts,
  toResolutions,
} from './resolutions';
import { change, conflicting } from './testing';

const fields = change({
  conflict: 'fields',
  fields: [
    conflicting('name', 'A', 'B'),
    { field: 'typeId', branch: 'a', base: 'a', draft: 'b', conflict: false },
    conflicting('properties.tier', 1, 2),
  ],
});
const removed = change({ id: 'api', change: 'removed', conflict: 'removed' });
const items = conflictItems([fields, removed, change({ id: 'fine' })]);

describe('the conflicts of a draft', () => {
  it('are one decision for each field, or one for a row', () => {
    expect(items.map(({ key }) => key)).toEqual([
      'component/web/name',
      'component/web/properties.tier',
      'component/api',
    ]);
  });

  it('are decided one by one', () => {
    const choices = choose(new Map(), 'component/web/name', 'draft');
    expect(openItems(items, choices)).toBe(2);
    expect(toResolutions(items, choices)).toEqual([
      { kind: 'component', id: 'web', field: 'name', take: 'draft' },
    ]);
    expect(commonSide(items, choices)).toBeNull();
  });

  it('are decided together, and one of them differently', () => {
    const all = chooseAll(items, 'base');
    expect(openItems(items, all)).toBe(0);
    expect(commonSide(items, all)).toBe('base');
    const mixed = choose(all, 'component/api', 'draft');
    expect(commonSide(items, mixed)).toBeNull();
    expect(toResolutions(items, mixed).at(-1)).toEqual({ kind: 'component', id: 'api', take: 'draft' });
  });

  it('that no longer exist are not sent', () => {
    expect(toResolutions(conflictItems([removed]), chooseAll(items, 'draft'))).toHaveLength(1);
  });

  it('of whole rows say what each side does', () => {
    expect(rowChoiceTexts(removed).draft).toBe('Remove');
    expect(rowChoiceTexts(change({ conflict: 'removed' })).base).toBe('Leave removed');
    expect(rowChoiceTexts(change({ change: 'added', conflict: 'reference' })).base).toBe('Do not add');
  });
});
