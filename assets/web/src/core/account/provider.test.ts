import { describe, expect, it } from 'vitest';
import {
  accessList,
  endedAccessText,
  providerProblemText,
  providerSignInUrl,
  requestedPageAt,
  signInPath,
} from './provider';

describe('signing in with an identity provider', () => {
  it('keeps the requested page, with its fragment separate', () => {
    const search = `?next=${encodeURIComponent('/o/acme/people?filter=%26#there')}&problem=denied`;
    expect(requestedPageAt({ pathname: '/sign-in', search, hash: '' })).toEqual({
      path: '/o/acme/people?filter=%26',
      hash: '#there',
    });
    expect(requestedPageAt({ pathname: '/join', search: '', hash: '#secret' })).toEqual({
      path: '/join',
      hash: '#secret',
    });
    expect(requestedPageAt({ pathname: '/sign-in', search: '', hash: '' })).toEqual({ path: '', hash: '' });
  });

  it('sends the requested page, encoded', () => {
    expect(providerSignInUrl('')).toBe('/api/auth/oidc/start');
    expect(new URL(providerSignInUrl('/a?b=%26&c'), 'http://x').searchParams.get('next')).toBe('/a?b=%26&c');
  });

  it('explains every error', () => {
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
      expect(providerProblemText(word, 'Acme')).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('lists access as text', () => {
    expect(accessList([])).toBe('');
    expect(accessList(['password', 'unknown'])).toBe('its password');
    expect(accessList(['password', 'connectors'])).toBe('its password and its connected apps');
  });

  it('returns to the sign-in page with the requested page and the revoked access', () => {
    expect(signInPath('')).toBe('/sign-in');
    expect(signInPath('?next=%2Fo%2Facme')).toBe('/sign-in?next=%2Fo%2Facme');
    expect(signInPath('?next=%2Fa%3Fb%3D1', ['password', 'tokens'])).toBe(
      '/sign-in?ended=password.tokens&next=%2Fa%3Fb%3D1',
    );
  });

  it('lists the access that was revoked when an account was linked', () => {
    expect(endedAccessText(null)).toBeNull();
    expect(endedAccessText('')).toBeNull();
    expect(endedAccessText('nonsense.constructor')).toBeNull();
    expect(endedAccessText('password.sessions.tokens')).toContain(
      'linked to your identity provider. For your security, these were removed from it: its password, all other sessions, and its personal access tokens.',
    );
  });
});
