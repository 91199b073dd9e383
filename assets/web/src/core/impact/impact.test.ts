import { describe, expect, it } from 'vitest';
import type { ReachedComponent } from '@/api/generated';
import { impactSummary, notFollowedText, reachedBy } from './describe';
import { formatImpactQuery, type ImpactQuery, parseImpactQuery } from './query';
import { firstOfGroups, groupByDistance, highlightedBy, type ImpactResult } from './results';

const reached = (componentId: string, distance: number, from = 'db'): ReachedComponent => ({
  componentId,
  name: componentId.toUpperCase(),
  typeId: 'service',
  distance,
  from,
  relationshipId: `${componentId}>${from}`,
  relationTypeId: 'calls',
  label: null,
});

describe('an impact query', () => {
  const format = (question: ImpactQuery | null) =>
    new URLSearchParams(
      Object.entries(formatImpactQuery(question)).filter(
        (entry): entry is [string, string] => entry[1] !== null,
      ),
    ).toString();

  it('is parsed from the URL it was formatted to', () => {
    const questions: ImpactQuery[] = [
      { of: 'a/b & c', direction: 'dependents', depth: null, types: [], to: null },
      { of: 'db', direction: 'dependencies', depth: 3, types: ['calls', 'uses'], to: 'web' },
      { of: 'web', direction: 'between', depth: null, types: [], to: 'db' },
    ];
    for (const question of questions) expect(parseImpactQuery(format(question))).toEqual(question);
    expect(format(null)).toBe('');
  });

  it('is null without a component, and ignores invalid parameters', () => {
    expect(parseImpactQuery('?process=p&depth=2')).toBeNull();
    const plain = { of: 'db', direction: 'dependents', depth: null, types: [], to: null };
    for (const query of [
      '&way=up',
      '&depth=0',
      '&depth=101',
      '&depth=2.5',
      '&depth=x',
      '&types=,',
      '&way=between',
    ]) {
      expect(parseImpactQuery(`?impact=db${query}`)).toEqual(plain);
    }
  });
});

describe('impact results', () => {
  it('are grouped by distance, then sorted by name', () => {
    const rings = groupByDistance([reached('web', 2), reached('mail', 1), reached('api', 1)]);
    expect(rings.map(({ distance, reached: all }) => [distance, all.map(({ name }) => name)])).toEqual([
      [1, ['API', 'MAIL']],
      [2, ['WEB']],
    ]);
  });

  it('keep their total counts if only the first components are shown', () => {
    const all = ['a', 'b', 'c', 'd'].map((id, at) => reached(id, at < 3 ? 1 : 2));
    const [direct, ...others] = firstOfGroups(groupByDistance(all), 2);
    expect(direct?.shown).toHaveLength(2);
    expect(direct?.reached).toHaveLength(3);
    expect(others).toEqual([]);
  });

  const found: ImpactResult[] = [
    {
      direction: 'dependents',
      reached: [reached('api', 1), reached('web', 2, 'api')],
      notFollowed: { 'related-to': 2, monitors: 1 },
    },
    {
      direction: 'dependencies',
      reached: [reached('disk', 1), reached('web', 1)],
      notFollowed: { 'related-to': 3 },
    },
  ];
  const long = {
    componentIds: ['web', 'api', 'db'],
    relationshipIds: ['web>api', 'api>db'],
    relationTypeIds: ['calls', 'reads'],
  };
  const short = { componentIds: ['web', 'db'], relationshipIds: ['web>db'], relationTypeIds: ['reads'] };
  const paths = [{ from: 'web', to: 'db', paths: [short, long], complete: true }];

  it('highlight components by their role', () => {
    const { components, relationships } = highlightedBy('db', found, []);
    expect(Object.fromEntries(components)).toEqual({
      db: 'start',
      api: 'dependent',
      web: 'dependent',
      disk: 'dependency',
    });
    expect(relationships.get('web>api')).toBe('dependent');
    expect(relationships.get('disk>db')).toBe('dependency');
  });

  it('are described in both directions', () => {
    expect(impactSummary({ found, paths: [] })).toBe(
      '2 components depend on it, up to 2 relationships away. Depends on 2 components.',
    );
    expect(impactSummary({ found: [{ direction: 'dependents', reached: [], notFollowed: {} }], paths })).toBe(
      'No dependents.',
    );
    expect(impactSummary({ found: [], paths })).toBe('2 paths.');
  });

  it('name the types that are not followed, and the relationship in its direction', () => {
    const text = notFollowedText(found, (id) => id.replace('-', ' '));
    expect(text).toBe('Not followed: 3 related to, 1 monitors.');
    expect(notFollowedText([], (id) => id)).toBeNull();
    expect(reachedBy(true, 'calls', 'it')).toBe('calls it');
    expect(reachedBy(false, 'streams to', 'Orders')).toBe('Orders streams to it');
  });

  it('highlight all paths, or only the selected path', () => {
    const all = highlightedBy('db', found, paths);
    expect([...all.components].filter(([, part]) => part === 'path').map(([id]) => id)).toEqual([
      'api',
      'web',
    ]);
    expect([all.relationships.get('web>db'), all.relationships.get('api>db')]).toEqual(['path', 'path']);
    const highlighted = highlightedBy('db', found, paths, short);
    expect(highlighted.components.get('api')).toBe('dependent');
    expect([highlighted.relationships.get('web>db'), highlighted.relationships.get('api>db')]).toEqual([
      'path',
      'dependent',
    ]);
  });
});
