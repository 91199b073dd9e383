import { describe, expect, it } from 'vitest';
import type { KindField } from '@/api/generated';
import { fieldLink, fieldProblem, fieldText, hasFieldType, parseField } from './kindFields';

const field = (type: KindField['type'], choices: string[] = []): KindField => ({
  key: 'k',
  name: 'K',
  type,
  choices,
});

describe('values of fields', () => {
  it('are checked and parsed by the type of the field', () => {
    const valid: [KindField, string, unknown][] = [
      [field('text'), ' a ', ' a '],
      [field('number'), ' 0.5 ', 0.5],
      [field('number'), '-1e3', -1000],
      [field('boolean'), 'Yes', true],
      [field('boolean'), 'false', false],
      [field('date'), '2028-02-29', '2028-02-29'],
      [field('url'), 'https://example.org/a?b', 'https://example.org/a?b'],
      [field('choice', ['gold', 'silver']), 'gold', 'gold'],
    ];
    for (const [kind, text, value] of valid) {
      expect(fieldProblem(kind, text), text).toBeUndefined();
      expect(parseField(kind, text)).toBe(value);
      expect(hasFieldType(kind, value)).toBe(true);
    }
    const invalid: [KindField, string][] = [
      [field('number'), '1,5'],
      [field('number'), 'NaN'],
      [field('number'), '1e999'],
      [field('boolean'), 'maybe'],
      [field('date'), '2026-02-30'],
      [field('date'), '30.11.2026'],
      [field('date'), '2026-1-1'],
      [field('url'), 'javascript:alert(1)'],
      [field('url'), 'example.org'],
      [field('url'), 'https://example.org/a b'],
      [field('choice', ['gold']), 'Gold'],
    ];
    for (const [kind, text] of invalid) expect(fieldProblem(kind, text), text).toBeTruthy();
  });

  it('an empty text removes the value', () => {
    for (const type of ['text', 'number', 'boolean', 'date', 'url', 'choice'] as const) {
      expect(fieldProblem(field(type), '  ')).toBeUndefined();
      expect(parseField(field(type), '  ')).toBeUndefined();
      expect(hasFieldType(field(type), undefined)).toBe(true);
    }
  });

  it('values of another type are recognized and shown', () => {
    expect(hasFieldType(field('number'), '5')).toBe(false);
    expect(hasFieldType(field('boolean'), 'true')).toBe(false);
    expect(hasFieldType(field('text'), 5)).toBe(false);
    expect(hasFieldType(field('choice', ['a']), 'b')).toBe(false);
    expect(fieldText({ a: 1 })).toBe('{"a":1}');
    expect(fieldText(null)).toBe('');
  });

  it('only http and https addresses are links', () => {
    expect(fieldLink('https://example.org')).toBe('https://example.org/');
    for (const other of ['javascript:alert(1)', 'data:text/html,x', '/path', 5, undefined]) {
      expect(fieldLink(other)).toBeUndefined();
    }
  });
});
