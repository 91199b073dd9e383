import { describe, expect, it } from 'vitest';
import { endedAccessText, providerProblemText, providerSignInUrl, requestedPageAt } from './provider';

describe('signing in at a provider', () => {
  it('keeps the page one came for, and what is behind its # to itself', () => {
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

  it('sends the page along, encoded', () => {
    expect(providerSignInUrl('')).toBe('/api/auth/oidc/start');
    expect(new URL(providerSignInUrl('/a?b=%26&c'), 'http://x').searchParams.get('next')).toBe('/a?b=%26&c');
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
      expect(providerProblemText(word, 'Acme')).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('says what ended when an account was linked', () => {
    expect(endedAccessText(null)).toBeNull();
    expect(endedAccessText('')).toBeNull();
    expect(endedAccessText('nonsense.constructor')).toBeNull();
    expect(endedAccessText('password.sessions.tokens')).toContain(
      'linked to your identity provider. For your security, these were removed from it: its password, all other sessions, and its personal access tokens.',
    );
  });
});
