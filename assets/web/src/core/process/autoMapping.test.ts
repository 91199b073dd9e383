import { describe, expect, it } from 'vitest';
import { autoMap, startAutoMapping, withUnmapped } from './autoMapping';
import { equalNameFinder } from './matchParticipants';

const find = equalNameFinder([
  { id: 'web', name: 'Web shop' },
  { id: 'web-app', name: 'Web' },
  { id: 'db-1', name: 'Database' },
  { id: 'db-2', name: ' DATABASE ' },
]);
const person = (alias: string, name = alias) => ({ alias, name });

/** Types several texts in turn. Returns the final mapping. */
function typed(
  texts: readonly (readonly { alias: string; name: string }[])[],
  participants: Record<string, string> = {},
  known: readonly { alias: string; name: string }[] = [],
) {
  let state = startAutoMapping(known);
  const all = new Map(Object.entries(participants));
  for (const people of texts) {
    const next = autoMap(state, people, Object.fromEntries(all), find);
    state = next.state;
    for (const [alias, id] of next.changes) {
      if (id === null) all.delete(alias);
      else all.set(alias, id);
    }
  }
  return { state, participants: Object.fromEntries(all) };
}

describe('equal names', () => {
  it('are found regardless of case and white space, unless they are ambiguous', () => {
    expect(find('  web\n SHOP')).toBe('web');
    expect(find('Web-shop')).toBeUndefined();
    expect(find('database')).toBeUndefined();
    expect(find('')).toBeUndefined();
  });
});

describe('automatic mapping', () => {
  it('maps added and renamed participants', () => {
    expect(typed([[person('W', 'web shop'), person('x')]]).participants).toEqual({ W: 'web' });
    expect(typed([[person('W', 'Web shop')]], {}, [person('W', 'Shop')]).participants).toEqual({ W: 'web' });
  });

  it('leaves participants alone that were there before or have a component', () => {
    expect(typed([[person('W', 'Web'), person('N')]], {}, [person('W', 'Web')]).participants).toEqual({});
    expect(typed([[person('W', 'Web')]], { W: 'db-1' }).participants).toEqual({ W: 'db-1' });
  });

  it('follows a name while it is typed', () => {
    const { participants } = typed([[person('W', 'Web')], [person('W', 'Web shop')]]);
    expect(participants).toEqual({ W: 'web' });
    expect(typed([[person('W', 'Web')], [person('W', 'Web sh')]]).participants).toEqual({});
  });

  it('removes the mapping of an alias that was still being typed', () => {
    expect(typed([[person('Web')], [person('Webs')], [person('Web shop')]]).participants).toEqual({
      'Web shop': 'web',
    });
  });

  it('does not map a participant again that the user unmapped', () => {
    const first = typed([[person('W', 'Web')]]);
    const state = withUnmapped(first.state, 'W');
    expect(autoMap(state, [person('W', 'Web'), person('N')], {}, find).changes.size).toBe(0);
    expect(autoMap(state, [person('W', 'Web shop')], {}, find).changes.size).toBe(0);
    expect(state.mapped.size).toBe(0);
  });

  it('keeps the component that the user selected instead', () => {
    const { state } = typed([[person('W', 'Web')]]);
    const next = autoMap(state, [person('W', 'Web shop')], { W: 'db-1' }, find);
    expect(next.changes.size).toBe(0);
    expect(autoMap(next.state, [], { W: 'db-1' }, find).changes.size).toBe(0);
  });

  it('supports aliases that are names of object members', () => {
    expect(typed([[person('constructor', 'Web'), person('__proto__')]]).participants).toEqual({
      constructor: 'web-app',
    });
  });
});
