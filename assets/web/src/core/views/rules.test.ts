import { describe, expect, it } from 'vitest';
import { EVERYTHING } from './edits';
import { CONDITIONS, emptyCondition, parsePropertyValue, withoutEmptyRules } from './rules';

describe('the rules while they are edited', () => {
  it('lose empty conditions and rules', () => {
    const empty = CONDITIONS.map(({ key }) => emptyCondition(key));
    expect(
      withoutEmptyRules({ ...EVERYTHING, include: empty, exclude: [{}, { properties: { '': 'gold' } }] }),
    ).toEqual(EVERYTHING);
    const rules = {
      ...EVERYTHING,
      include: [{ ids: ['a'], text: ' ' }, { around: { of: ['a'] } }, { properties: { tier: 1 } }],
    };
    expect(withoutEmptyRules(rules).include).toEqual([
      { ids: ['a'] },
      { around: { of: ['a'] } },
      { properties: { tier: 1 } },
    ]);
  });

  it('read numbers and booleans of properties', () => {
    expect(parsePropertyValue('1')).toBe(1);
    expect(parsePropertyValue('true')).toBe(true);
    expect(parsePropertyValue('gold')).toBe('gold');
    expect(parsePropertyValue('')).toBe('');
  });
});
