import { expect, test } from 'vitest';
import { wikiErrorText } from './errors';

test('errors of the wiki are complete sentences', () => {
  for (const code of ['bad_wiki_url', 'wiki_misconfigured', 'wiki_access_denied', 'wiki_not_found']) {
    // The messages must not mention fields or codes.
    expect(wikiErrorText(code, 400)).toMatch(/^[A-Z][^`_]*\.$/);
  }
  expect(wikiErrorText(undefined, 502)).toContain('not responding');
});

test('other errors keep their own message', () => {
  expect(wikiErrorText(undefined, 0)).toBeUndefined();
  expect(wikiErrorText('not_found', 404)).toBeUndefined();
  expect(wikiErrorText('constructor', 400)).toBeUndefined();
});
