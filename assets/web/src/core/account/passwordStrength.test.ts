import { describe, expect, it } from 'vitest';
import { passwordStrength } from './passwordStrength';

describe('password strength', () => {
  it.each([
    ['', 0],
    ['short', 1],
    ['aaaaaaaaaaaaaaaa', 1],
    ['12345678901234', 1],
    ['x'.repeat(129), 1],
    ['some words here', 2],
    ['correct horse battery staple', 3],
    ['correct horse battery staple gravel', 4],
    ['tR7#pq!Lw2zK', 4],
  ])('“%s” has level %i', (password, level) => {
    expect(passwordStrength(password).level).toBe(level);
  });

  it('ignores known words', () => {
    const plain = passwordStrength('ada lovelace engine 9k').level;
    expect(passwordStrength('ada lovelace engine 9k', ['ada', 'Ada Lovelace']).level).toBeLessThan(plain);
  });

  it('counts characters, not UTF-16 units', () => {
    expect(passwordStrength('漢字漢字').word).toMatch('too short');
  });
});
