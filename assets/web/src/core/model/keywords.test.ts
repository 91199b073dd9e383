/** Lists of tags and technologies. */
import { describe, expect, it } from 'vitest';
import {
  completeKeyword,
  formatKeywords,
  keywordsProblem,
  parseKeywords,
  suggestKeywords,
  usedKeywords,
} from './keywords';

describe('a comma-separated list', () => {
  it('is parsed without empty and repeated items', () => {
    expect(parseKeywords(' PHP, ,Valkey,PHP ')).toEqual(['PHP', 'Valkey']);
    expect(parseKeywords('  ')).toEqual([]);
  });

  it('is the same after formatting and parsing', () => {
    const keywords = ['Apache Kafka', 'C#'];
    expect(parseKeywords(formatKeywords(keywords))).toEqual(keywords);
    expect(formatKeywords(undefined)).toBe('');
  });

  it('is limited in number and length of items', () => {
    const items = (count: number) => Array.from({ length: count }, (_, at) => `tag ${at}`).join(',');
    expect(keywordsProblem(items(32))).toBeUndefined();
    expect(keywordsProblem(items(33))).toBe('At most 32 items, found 33.');
    expect(keywordsProblem(`a, ${'é'.repeat(80)}`)).toBeUndefined();
    expect(keywordsProblem(`a, ${'é'.repeat(81)}`)).toContain('At most 80 characters per item');
  });
});

describe('suggestions', () => {
  const known = ['PostgreSQL', 'Go', 'MongoDB', 'postgresql', 'gRPC'];

  it('complete the last item, and begin with matches at the start', () => {
    expect(suggestKeywords('Rust, go', known, 8)).toEqual(['Go', 'MongoDB']);
    expect(suggestKeywords('', known, 3)).toEqual(['PostgreSQL', 'Go', 'MongoDB']);
  });

  it('leave out items of the list, and the text itself', () => {
    expect(suggestKeywords('GO, g', known, 8)).toEqual(['gRPC', 'PostgreSQL', 'MongoDB']);
    expect(suggestKeywords('gRPC', known, 8)).toEqual([]);
  });

  it('replace the last item', () => {
    expect(completeKeyword('Rust, go', 'Go')).toBe('Rust, Go');
    expect(completeKeyword('go', 'Go')).toBe('Go');
  });

  it('begin with the values that are used most', () => {
    expect(usedKeywords([['a', 'b'], ['b'], undefined, ['c']])).toEqual(['b', 'a', 'c']);
  });
});
