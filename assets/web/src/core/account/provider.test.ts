import { describe, expect, it } from 'vitest';
import { accessList, endedText, problemText, signInAddress, startAddress, wantedAt } from './provider';

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

  it('lists access for people', () => {
    expect(accessList([])).toBe('');
    expect(accessList(['password', 'unknown'])).toBe('its password');
    expect(accessList(['password', 'connectors'])).toBe('its password and its connected apps');
  });

  it('returns to the sign-in page with the page that was requested and what ended', () => {
    expect(signInAddress('')).toBe('/sign-in');
    expect(signInAddress('?next=%2Fo%2Facme')).toBe('/sign-in?next=%2Fo%2Facme');
    expect(signInAddress('?next=%2Fa%3Fb%3D1', ['password', 'tokens'])).toBe(
      '/sign-in?ended=password.tokens&next=%2Fa%3Fb%3D1',
    );
  });

  it('says what ended when an account was linked', () => {
    expect(endedText(null)).toBeNull();
    expect(endedText('')).toBeNull();
    expect(endedText('nonsense.constructor')).toBeNull();
    expect(endedText('password.sessions.tokens')).toContain(
      'linked to your identity provider. For your security, these were removed from it: its password, all other sessions, and its personal access tokens.',
    );
  });
});
