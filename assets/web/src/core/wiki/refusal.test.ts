import { expect, test } from 'vitest';
import { refusalOf } from './refusal';

test('errors of the wiki are complete sentences', () => {
  for (const code of ['bad_wiki_url', 'wiki_misconfigured', 'wiki_access_denied', 'wiki_not_found']) {
    // The messages must not mention fields or codes.
    expect(refusalOf(code, 400)).toMatch(/^[A-Z][^`_]*\.$/);
  }
  expect(refusalOf(undefined, 502)).toContain('not responding');
});

test('other errors keep their own message', () => {
  expect(refusalOf(undefined, 0)).toBeUndefined();
  expect(refusalOf('not_found', 404)).toBeUndefined();
  expect(refusalOf('constructor', 400)).toBeUndefined();
});
