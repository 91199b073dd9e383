/** Error messages for users. */
import { describe, expect, it } from 'vitest';
import { ApiError, errorText, SERVER_UNREACHABLE } from '@/api/errors';
import type { ErrorBody, ProblemBody } from '@/api/generated';
import { fieldErrors, inputErrorText } from './formErrors';

const refused = (body: Partial<ErrorBody>) => new ApiError(400, body);

describe('a field error', () => {
  it('explains how to fix a length, without the position in the JSON body', () => {
    const length = (kind: ProblemBody['kind'], actual: number) =>
      refused({
        error: `name: must have 1 to 200 characters, has ${actual} at line 1 column 10`,
        field: 'name',
        problem: { kind, message: `must have 1 to 200 characters, has ${actual}`, min: 1, max: 200, actual },
      });
    expect(fieldErrors(length('tooLong', 10_000), ['name'])('name')).toBe(
      'Must have at most 200 characters, has 10,000. Remove 9,800.',
    );
    expect(fieldErrors(length('tooShort', 0), ['name'])('name')).toBe('Must not be empty.');
    const message = 'must be an email address, as in `ada@example.org`';
    const wrong = refused({
      error: `email: ${message} at line 1 column 32`,
      field: 'email',
      problem: { kind: 'other', message, line: 1, column: 32 },
    });
    expect(fieldErrors(wrong, ['email'])('email')).toBe('Must be an email address, as in `ada@example.org`.');
  });

  it('keeps line numbers of user-written files', () => {
    expect(errorText(refused({ error: 'line 3 of the file has no name' }))).toBe(
      'Line 3 of the file has no name.',
    );
  });
});

describe('an unreachable server', () => {
  it('tells users that their input is not lost', () => {
    expect(inputErrorText(new ApiError(0, { error: SERVER_UNREACHABLE }))).toMatch(
      /input is not lost. Try again/,
    );
  });
});
