import { expect, test } from 'vitest';
import { refusalOf } from './refusal';

test('what the wiki refuses is told in sentences, and the address can be kept all the same', () => {
  for (const code of ['bad_wiki_url', 'wiki_misconfigured', 'wiki_access_denied', 'wiki_not_found']) {
    const refusal = refusalOf(code, 400);
    expect(refusal?.mayBePlain).toBe(true);
    // Nobody who pastes an address knows of fields and codes.
    expect(refusal?.text).toMatch(/^[A-Z][^`_]*\.$/);
  }
  expect(refusalOf(undefined, 502)?.text).toContain('does not answer');
});

test('what is not about the wiki is told by whoever said it', () => {
  expect(refusalOf(undefined, 0)).toBeUndefined();
  expect(refusalOf('not_found', 404)).toBeUndefined();
  expect(refusalOf('constructor', 400)).toBeUndefined();
});
