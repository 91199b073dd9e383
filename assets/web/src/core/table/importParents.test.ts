/** The groups of imported rows. */
import { describe, expect, it } from 'vitest';
import { sample } from '../model/testing';
import { type ParentRequest, resolveParents } from './importParents';

const COUNT = 5000;

/** A request that counts how often its group is read. */
function counted(id: string, group: string, count: () => void): ParentRequest {
  return {
    id,
    name: id,
    component: null,
    get group() {
      count();
      return group;
    },
  };
}

describe('a chain of 5,000 new groups', () => {
  const rows = sample({ components: [{ id: 'shop' }] });
  const resolveChain = (last: string) => {
    let steps = 0;
    const requests = Array.from({ length: COUNT }, (_, at) =>
      counted(`g${at}`, at + 1 < COUNT ? `g${at + 1}` : last, () => {
        steps++;
      }),
    );
    return { ...resolveParents(requests, rows), steps };
  };

  it('in an unknown group is refused in linear time', () => {
    const { parents, problems, steps } = resolveChain('Nowhere');
    expect([parents.size, problems.size]).toEqual([0, COUNT]);
    expect(problems.get('g0')).toMatch(/^unknown group “g1”/);
    expect(steps).toBeLessThanOrEqual(2 * COUNT);
  });

  it('that contains itself is refused in linear time', () => {
    const { parents, problems, steps } = resolveChain('g0');
    expect([parents.size, problems.size]).toEqual([0, COUNT]);
    expect(problems.get(`g${COUNT - 1}`)).toBe('a component cannot contain itself.');
    expect(steps).toBeLessThanOrEqual(2 * COUNT);
  });

  it('in a known group is accepted', () => {
    const { parents, problems, steps } = resolveChain('shop');
    expect([parents.size, problems.size]).toEqual([COUNT, 0]);
    expect(parents.get('g0')).toBe('g1');
    expect(steps).toBe(COUNT);
  });
});

describe('existing groups', () => {
  const rows = sample({
    components: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    relationships: [
      ['a', 'contains', 'b'],
      ['b', 'contains', 'c'],
    ],
  });
  const request = (id: string, group: string): ParentRequest => ({
    id,
    name: id,
    component: rows.component.get(id) ?? null,
    group,
  });

  it('are refused if they would be in a cycle with a group that a refused row keeps', () => {
    const { parents, problems } = resolveParents([request('a', 'c'), request('b', 'Nowhere')], rows);
    expect(parents.size).toBe(0);
    expect([...problems.keys()].sort()).toEqual(['a', 'b']);
  });
});
