import { expect, test } from 'vitest';
import { refusalOf } from './errors';

test('what the wiki refuses is told in sentences', () => {
  for (const code of ['bad_wiki_url', 'wiki_misconfigured', 'wiki_access_denied', 'wiki_not_found']) {
    // Nobody who pastes an address knows of fields and codes.
    expect(refusalOf(code, 400)).toMatch(/^[A-Z][^`_]*\.$/);
  }
  expect(refusalOf(undefined, 502)).toContain('does not answer');
});

test('what is not about the wiki is told by whoever said it', () => {
  expect(refusalOf(undefined, 0)).toBeUndefined();
  expect(refusalOf('not_found', 404)).toBeUndefined();
  expect(refusalOf('constructor', 400)).toBeUndefined();
});
