/** Error messages for users. */
import { describe, expect, it } from 'vitest';
import { ApiError, errorText, SERVER_UNREACHABLE } from '@/api/errors';
import { fieldErrors, inputErrorText } from './formErrors';

const refused = (error: string, field?: string) => new ApiError(400, field ? { error, field } : { error });

describe('a field error', () => {
  it('explains how to fix a length, without the path in the JSON body', () => {
    const long = refused('name: must have 1 to 200 characters, has 10000 at line 1 column 10011', 'name');
    expect(fieldErrors(long, ['name'])('name')).toBe(
      'Must have at most 200 characters, has 10,000. Remove 9,800.',
    );
    const none = refused('name: must have 1 to 200 characters, has 0 at line 1 column 10', 'name');
    expect(fieldErrors(none, ['name'])('name')).toBe('Must not be empty.');
    const wrong = refused(
      'email: must be an email address, as in `ada@example.org` at line 1 column 32',
      'email',
    );
    expect(fieldErrors(wrong, ['email'])('email')).toBe('Must be an email address, as in `ada@example.org`.');
  });

  it('keeps line numbers of user-written files', () => {
    expect(errorText(refused('line 3 of the file has no name'))).toBe('Line 3 of the file has no name.');
  });
});

describe('an unreachable server', () => {
  it('tells users that their input is not lost', () => {
    expect(inputErrorText(new ApiError(0, { error: SERVER_UNREACHABLE }))).toMatch(
      /input is not lost. Try again/,
    );
  });
});
