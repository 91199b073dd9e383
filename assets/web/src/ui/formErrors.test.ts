/** What people are told of what went wrong. */
import { describe, expect, it } from 'vitest';
import { ApiError, errorText, SERVER_UNREACHABLE } from '@/api/errors';
import { fieldErrors, inputErrorText } from './formErrors';

const refused = (error: string, field?: string) => new ApiError(400, field ? { error, field } : { error });

describe('what the server says of a field', () => {
  it('is told with what to do about a length, and without the place in a body that nobody wrote', () => {
    const long = refused('name: must have 1 to 200 characters, has 10000 at line 1 column 10011', 'name');
    expect(fieldErrors(long, ['name'])('name')).toBe(
      'May have 200 characters; this has 10,000. Take out 9,800.',
    );
    const none = refused('name: must have 1 to 200 characters, has 0 at line 1 column 10', 'name');
    expect(fieldErrors(none, ['name'])('name')).toBe('Must not be empty.');
    const wrong = refused(
      'email: must be an e-mail address, as in `ada@example.org` at line 1 column 32',
      'email',
    );
    expect(fieldErrors(wrong, ['email'])('email')).toBe(
      'Must be an e-mail address, as in `ada@example.org`.',
    );
  });

  it('stays as it is where it names lines that somebody wrote', () => {
    expect(errorText(refused('line 3 of the file has no name'))).toBe('Line 3 of the file has no name.');
  });
});

describe('a server that is away', () => {
  it('leaves what was typed, and whoever typed it is told so', () => {
    expect(inputErrorText(new ApiError(0, { error: SERVER_UNREACHABLE }))).toMatch(/stays here: try again/);
  });
});
