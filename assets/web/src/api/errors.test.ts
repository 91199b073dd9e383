import { expect, test } from 'vitest';
import { ApiError, errorText } from './errors';

test('the message about a change that a viewer can propose names no endpoint', () => {
  const error =
    'changing this workspace needs the access level editor; ask one of its owners, or start a draft with ' +
    'POST /api/workspaces/web shop/drafts and make the change there';
  expect(errorText(new ApiError(403, { error }))).toBe(
    'Changing this workspace needs the access level editor; ask one of its owners, or start a draft and make the change there.',
  );
});
