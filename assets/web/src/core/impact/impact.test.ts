import { describe, expect, it } from 'vitest';
import type { Reached } from '@/api/generated';
import { impactSummary } from './describe';
import { formatImpactQuery, type ImpactQuery, parseImpactQuery } from './question';
import { groupByDistance, highlightedBy } from './results';

const reached = (componentId: string, distance: number, from = 'db'): Reached => ({
  componentId,
  name: componentId.toUpperCase(),
  typeId: 'service',
  distance,
  from,
  relationshipId: `${componentId}>${from}`,
});

describe('a question', () => {
  const said = (question: ImpactQuery | null) =>
    new URLSearchParams(
      Object.entries(formatImpactQuery(question)).filter(
        (entry): entry is [string, string] => entry[1] !== null,
      ),
    ).toString();

  it('is read from the address as it was said there', () => {
    const questions: ImpactQuery[] = [
      { of: 'a/b & c', way: 'dependents', depth: null, types: [], to: null },
      { of: 'db', way: 'dependencies', depth: 3, types: ['calls', 'uses'], to: 'web' },
      { of: 'web', way: 'between', depth: null, types: [], to: 'db' },
    ];
    for (const question of questions) expect(parseImpactQuery(said(question))).toEqual(question);
    expect(said(null)).toBe('');
  });

  it('is none without a component, and asks for all where it is not understood', () => {
    expect(parseImpactQuery('?process=p&depth=2')).toBeNull();
    const plain = { of: 'db', way: 'dependents', depth: null, types: [], to: null };
    for (const rest of [
      '&way=up',
      '&depth=0',
      '&depth=101',
      '&depth=2.5',
      '&depth=x',
      '&types=,',
      '&way=between',
    ]) {
      expect(parseImpactQuery(`?impact=db${rest}`)).toEqual(plain);
    }
  });
});

describe('an answer', () => {
  it('is listed by distance, and by name among those as far', () => {
    const rings = groupByDistance([reached('web', 2), reached('mail', 1), reached('api', 1)]);
    expect(rings.map(({ distance, reached: all }) => [distance, all.map(({ name }) => name)])).toEqual([
      [1, ['API', 'MAIL']],
      [2, ['WEB']],
    ]);
  });

  const found = [
    { way: 'dependents' as const, reached: [reached('api', 1), reached('web', 2, 'api')] },
    { way: 'dependencies' as const, reached: [reached('disk', 1), reached('web', 1)] },
  ];
  const long = { componentIds: ['web', 'api', 'db'], relationshipIds: ['web>api', 'api>db'] };
  const short = { componentIds: ['web', 'db'], relationshipIds: ['web>db'] };
  const paths = [{ from: 'web', to: 'db', paths: [short, long], complete: true }];

  it('lights what was reached by the way in which it takes part', () => {
    const { components, relationships } = highlightedBy('db', found, []);
    expect(Object.fromEntries(components)).toEqual({
      db: 'asked',
      api: 'dependent',
      web: 'dependent',
      disk: 'dependency',
    });
    expect(relationships.get('web>api')).toBe('dependent');
    expect(relationships.get('disk>db')).toBe('dependency');
  });

  it('is said in words, one way and the other', () => {
    expect(impactSummary({ found, paths: [] })).toBe(
      '2 components depend on it, up to 2 relationships away. Depends on 2 components.',
    );
    expect(impactSummary({ found: [{ way: 'dependents', reached: [] }], paths })).toBe('No dependents.');
    expect(impactSummary({ found: [], paths })).toBe('2 paths.');
  });

  it('lights the ways over it, or the one that is chosen', () => {
    const all = highlightedBy('db', found, paths);
    expect([...all.components].filter(([, part]) => part === 'way').map(([id]) => id)).toEqual([
      'api',
      'web',
    ]);
    expect([all.relationships.get('web>db'), all.relationships.get('api>db')]).toEqual(['way', 'way']);
    const one = highlightedBy('db', found, paths, short);
    expect(one.components.get('api')).toBe('dependent');
    expect([one.relationships.get('web>db'), one.relationships.get('api>db')]).toEqual(['way', 'dependent']);
  });
});
