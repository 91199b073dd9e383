import { describe, expect, it } from 'vitest';
import { problemText, startAddress, wantedAt } from './provider';

describe('signing in at a provider', () => {
  it('keeps the page one came for, and what is behind its # to itself', () => {
    const search = `?next=${encodeURIComponent('/o/acme/people?filter=%26#there')}&problem=denied`;
    expect(wantedAt({ pathname: '/sign-in', search, hash: '' })).toEqual({
      path: '/o/acme/people?filter=%26',
      hash: '#there',
    });
    expect(wantedAt({ pathname: '/join', search: '', hash: '#secret' })).toEqual({
      path: '/join',
      hash: '#secret',
    });
    expect(wantedAt({ pathname: '/sign-in', search: '', hash: '' })).toEqual({ path: '', hash: '' });
  });

  it('sends the page along, encoded', () => {
    expect(startAddress('')).toBe('/api/auth/oidc/start');
    expect(new URL(startAddress('/a?b=%26&c'), 'http://x').searchParams.get('next')).toBe('/a?b=%26&c');
  });

  it('has words for whatever was in the way', () => {
    for (const word of [
      'bad_state',
      'denied',
      'unreachable',
      'untrue',
      'too_many',
      'suspended',
      'failed',
      'new',
    ]) {
      expect(problemText(word, 'Acme')).toMatch(/^[A-Z].*\.$/);
    }
  });
});
