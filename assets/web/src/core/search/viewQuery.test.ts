import { describe, expect, it } from 'vitest';
import { shop } from '../model/testing';
import { LENSES, type Lens, NO_FILTERS } from '../model/viewOptions';
import {
  collapsedGroups,
  formatViewQuery,
  isDefaultView,
  knownFilters,
  parseViewQuery,
  type ViewOptions,
} from './viewQuery';

const DEFAULT: ViewOptions = { lens: 'type', filters: NO_FILTERS, collapsed: new Set() };

/** A pseudorandom number generator with a fixed seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % below;
  };
}

/** IDs may contain everything that separates parts of a URL. */
const CHARACTERS = [...'ab-_,;&=+ #?/%:"\u6f22\u{1f600}*.~'];

function randomView(next: (below: number) => number, groups: readonly string[]): ViewOptions {
  const id = () => Array.from({ length: 1 + next(6) }, () => CHARACTERS[next(CHARACTERS.length)]).join('');
  const ids = () => new Set(Array.from({ length: next(4) }, id));
  return {
    lens: LENSES[next(LENSES.length)]?.id as Lens,
    filters: {
      text: next(2) ? `a${id()}b` : '',
      typeIds: ids(),
      lifecycles: next(3) ? ids() : new Set(['']),
      holders: next(3) ? ids() : new Set(['', id()]),
      relationTypeIds: ids(),
      drift: ids(),
    },
    collapsed: new Set(groups.filter(() => next(3) > 0)),
  };
}

describe('a view in the URL', () => {
  it.each(Array.from({ length: 200 }, (_, seed) => seed))('is read as it was written (%i)', (seed) => {
    const next = numbers(seed);
    const groups = Array.from(
      { length: next(8) },
      (_, at) => `g${at},${CHARACTERS[next(CHARACTERS.length)]}`,
    );
    const view = randomView(next, groups);
    const query = formatViewQuery('?c=web&process=p', view, groups);
    const read = parseViewQuery(`?${query}`);
    expect(read).toMatchObject({ lens: view.lens, filters: view.filters });
    expect(read && collapsedGroups(read, groups)).toEqual(view.collapsed);
    expect(new URLSearchParams(query).get('c')).toBe('web');
    expect(formatViewQuery(query, null, groups)).toBe('c=web&process=p');
  });

  it('is absent without parameters, and complete with one', () => {
    expect(parseViewQuery('?c=web&at=1,2,1&types=uses&impact=web')).toBeNull();
    expect(parseViewQuery('?color=owner')).toMatchObject({ lens: 'owner', filters: NO_FILTERS });
    expect(formatViewQuery('', DEFAULT, ['g'])).toBe('color=type');
    expect(isDefaultView(DEFAULT)).toBe(true);
  });

  it('is readable, and short if all groups are collapsed', () => {
    const filters = { ...NO_FILTERS, holders: new Set(['', 'ada']), relationTypeIds: new Set(['uses']) };
    const groups = ['a', 'b', 'c'];
    expect(formatViewQuery('', { lens: 'team', filters, collapsed: new Set(['a']) }, groups)).toBe(
      'color=team&owner=&owner=ada&relation=uses&collapsed=a',
    );
    expect(formatViewQuery('', { ...DEFAULT, collapsed: new Set(groups) }, groups)).toBe('expanded=');
  });

  it('ignores unknown and excessive values', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `type=t${at}`).join('&');
    const read = parseViewQuery(`?color=rainbow&${many}&find=${'x'.repeat(5000)}&collapsed=gone`);
    expect(read?.lens).toBe('type');
    expect(read?.filters.typeIds.size).toBe(200);
    expect(read?.filters.text).toHaveLength(200);
    expect(read && collapsedGroups(read, ['g'])).toEqual(new Set());
    const query =
      '?type=service&type=gone&lifecycle=&lifecycle=gone&owner=gone&drift=gone&drift=other&owner=&relation=gone&relation=calls';
    const filters = parseViewQuery(query)?.filters;
    expect(filters && knownFilters(filters, shop)).toEqual({
      text: '',
      typeIds: new Set(['service']),
      lifecycles: new Set(['']),
      holders: new Set(['']),
      relationTypeIds: new Set(['calls']),
      drift: new Set(['gone']),
    });
  });
});
