import { describe, expect, it } from 'vitest';
import type { Reached } from '@/api/generated';
import { litBy, ringsOf } from './answer';
import { type Question, readQuestion, sayQuestion } from './question';
import { saidOfAll } from './words';

const reached = (componentId: string, distance: number, from = 'db'): Reached => ({
  componentId,
  name: componentId.toUpperCase(),
  typeId: 'service',
  distance,
  from,
  relationshipId: `${componentId}>${from}`,
});

describe('a question', () => {
  const said = (question: Question | null) =>
    new URLSearchParams(
      Object.entries(sayQuestion(question)).filter((entry): entry is [string, string] => entry[1] !== null),
    ).toString();

  it('is read from the address as it was said there', () => {
    const questions: Question[] = [
      { of: 'a/b & c', way: 'dependents', depth: null, types: [], to: null },
      { of: 'db', way: 'dependencies', depth: 3, types: ['calls', 'uses'], to: 'web' },
      { of: 'web', way: 'between', depth: null, types: [], to: 'db' },
    ];
    for (const question of questions) expect(readQuestion(said(question))).toEqual(question);
    expect(said(null)).toBe('');
  });

  it('is none without a component, and asks for all where it is not understood', () => {
    expect(readQuestion('?process=p&depth=2')).toBeNull();
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
      expect(readQuestion(`?impact=db${rest}`)).toEqual(plain);
    }
  });
});

describe('an answer', () => {
  it('is listed by distance, and by name among those as far', () => {
    const rings = ringsOf([reached('web', 2), reached('mail', 1), reached('api', 1)]);
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
  const ways = [{ from: 'web', to: 'db', paths: [short, long], complete: true }];

  it('lights what was reached by the way in which it takes part', () => {
    const { components, relationships } = litBy('db', found, []);
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
    expect(saidOfAll({ found, ways: [] })).toBe(
      '2 components depend on it, up to 2 relationships away. Depends on 2 components.',
    );
    expect(saidOfAll({ found: [{ way: 'dependents', reached: [] }], ways })).toBe('No dependents.');
    expect(saidOfAll({ found: [], ways })).toBe('2 paths.');
  });

  it('lights the ways over it, or the one that is chosen', () => {
    const all = litBy('db', found, ways);
    expect([...all.components].filter(([, part]) => part === 'way').map(([id]) => id)).toEqual([
      'api',
      'web',
    ]);
    expect([all.relationships.get('web>db'), all.relationships.get('api>db')]).toEqual(['way', 'way']);
    const one = litBy('db', found, ways, short);
    expect(one.components.get('api')).toBe('dependent');
    expect([one.relationships.get('web>db'), one.relationships.get('api>db')]).toEqual(['way', 'dependent']);
  });
});
