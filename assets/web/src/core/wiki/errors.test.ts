import { expect, test } from 'vitest';
import { wikiErrorText } from './errors';

test('what the wiki refuses is told in sentences', () => {
  for (const code of ['bad_wiki_url', 'wiki_misconfigured', 'wiki_access_denied', 'wiki_not_found']) {
    // Nobody who pastes an address knows of fields and codes.
    expect(wikiErrorText(code, 400)).toMatch(/^[A-Z][^`_]*\.$/);
  }
  expect(wikiErrorText(undefined, 502)).toContain('does not answer');
});

test('what is not about the wiki is told by whoever said it', () => {
  expect(wikiErrorText(undefined, 0)).toBeUndefined();
  expect(wikiErrorText('not_found', 404)).toBeUndefined();
  expect(wikiErrorText('constructor', 400)).toBeUndefined();
});
