/** Lists of tags and technologies. */
import { describe, expect, it } from 'vitest';
import { formatKeywords, keywordsProblem, parseKeywords } from './keywords';

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
