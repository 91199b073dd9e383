import { expect, test } from 'vitest';
import { wikiOutcome } from './wikiOutcome';

test('every outcome has a message', () => {
  expect(wikiOutcome('connected')).toMatchObject({ good: true });
  expect(wikiOutcome('bad_state')).toMatchObject({ good: false });
  expect(wikiOutcome('server_error')).toEqual({
    good: false,
    text: 'The wiki returned an error: server_error.',
  });
  expect(wikiOutcome('constructor')).toEqual({
    good: false,
    text: 'The wiki returned an error: constructor.',
  });
  expect([wikiOutcome(null), wikiOutcome('')]).toEqual([undefined, undefined]);
});
