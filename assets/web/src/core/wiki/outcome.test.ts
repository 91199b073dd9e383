import { expect, test } from 'vitest';
import { outcomeOf } from './outcome';

test('every word is a sentence, and no word is none', () => {
  expect(outcomeOf('connected')).toMatchObject({ good: true });
  expect(outcomeOf('bad_state')).toMatchObject({ good: false });
  expect(outcomeOf('server_error')).toEqual({
    good: false,
    text: 'The wiki returned an error: server_error.',
  });
  expect(outcomeOf('constructor')).toEqual({ good: false, text: 'The wiki returned an error: constructor.' });
  expect([outcomeOf(null), outcomeOf('')]).toEqual([undefined, undefined]);
});
