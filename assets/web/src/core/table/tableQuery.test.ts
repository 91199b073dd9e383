import { describe, expect, it } from 'vitest';
import { catalogue } from '../model/testing';
import { NO_TABLE_FILTER } from './sortAndFilter';
import {
  describeFilter,
  filterNameProblem,
  formatTableQuery,
  isFiltered,
  knownFilter,
  parseSavedFilters,
  parseTableQuery,
  type TableView,
} from './tableQuery';

const view: TableView = {
  filter: { text: 'a & b', typeId: 'database', lifecycle: 'none', unowned: true },
  sort: { column: 'updated', descending: true },
};

describe('the filter in the URL', () => {
  it('is the same after it is written and read', () => {
    const query = formatTableQuery('?of=components&find=old', view, 'name');
    expect(query).toBe('of=components&find=a+%26+b&type=database&lifecycle=&owner=&sort=-updated');
    expect(parseTableQuery(query, 'name')).toEqual(view);
  });

  it('is empty for all components in the default order', () => {
    const none = { filter: NO_TABLE_FILTER, sort: { column: 'name', descending: false } };
    expect(formatTableQuery(formatTableQuery('', view, 'name'), none, 'name')).toBe('');
    expect(parseTableQuery('', 'name')).toEqual(none);
    expect(isFiltered(none.filter)).toBe(false);
    expect(isFiltered({ ...none.filter, text: '  ' })).toBe(false);
  });

  it('ignores unknown types and states, and long texts', () => {
    const { filter } = parseTableQuery(`type=gone&lifecycle=gone&find=${'x'.repeat(900)}&owner=ada`, 'name');
    expect(knownFilter(filter, catalogue)).toEqual({ ...NO_TABLE_FILTER, text: 'x'.repeat(200) });
    expect(knownFilter(view.filter, catalogue)).toEqual(view.filter);
  });
});

describe('saved filters', () => {
  it('are described', () => {
    expect(describeFilter(view.filter, catalogue)).toBe('“a & b”, Database, no lifecycle, no owner');
  });

  it('are read without invalid entries', () => {
    const valid = { name: 'Mine', ...view };
    const stored = [valid, null, { name: 'x' }, { name: 1, filter: {}, sort: { column: 'name' } }];
    expect(parseSavedFilters(JSON.stringify(stored))).toEqual([valid]);
    expect(parseSavedFilters('{"a":1}')).toEqual([]);
    expect(parseSavedFilters('no JSON')).toEqual([]);
    expect(parseSavedFilters(JSON.stringify(Array.from({ length: 99 }, () => valid)))).toHaveLength(50);
  });

  it('have different names', () => {
    expect(filterNameProblem(' ', [])).toBe('Enter a name.');
    expect(filterNameProblem('MINE', ['Mine'])).toContain('exists');
    expect(filterNameProblem('x'.repeat(61), [])).toContain('60');
    expect(filterNameProblem('Other', ['Mine'])).toBeUndefined();
  });
});
