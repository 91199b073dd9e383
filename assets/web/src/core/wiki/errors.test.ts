import { expect, test } from 'vitest';
import { wikiErrorText } from './errors';

test('wiki errors are complete sentences', () => {
  for (const code of ['bad_wiki_url', 'wiki_misconfigured', 'wiki_access_denied', 'wiki_not_found']) {
    // The messages must not contain field names or codes.
    expect(wikiErrorText(code, 400)).toMatch(/^[A-Z][^`_]*\.$/);
  }
  expect(wikiErrorText(undefined, 502)).toContain('not responding');
});

test('other errors keep their original message', () => {
  expect(wikiErrorText(undefined, 0)).toBeUndefined();
  expect(wikiErrorText('not_found', 404)).toBeUndefined();
  expect(wikiErrorText('constructor', 400)).toBeUndefined();
});
