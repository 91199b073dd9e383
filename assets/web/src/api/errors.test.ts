import { expect, test } from 'vitest';
import { ApiError, errorText } from './errors';

test('the message about a change that needs a draft says what to do here, not in the API', () => {
  const reason = 'the workspace `shop` is protected';
  const error = `${reason}; to propose the change, start a draft with POST /api/workspaces/shop/drafts`;
  const remedy = { kind: 'startDraft', workspaceId: 'shop' } as const;
  expect(errorText(new ApiError(403, { error, reason, remedy }))).toBe(
    'The workspace `shop` is protected. Start a draft to propose the change.',
  );
});

test('a message whose remedy is for clients of the API is shown without it', () => {
  const reason = 'a workspace with the id `shop` exists already';
  const error = `${reason}; import under another with \`?id=\`, or over it with \`?replace=true\``;
  expect(errorText(new ApiError(409, { error, reason, remedy: { kind: 'importElsewhere' } }))).toBe(
    'A workspace with the id `shop` exists already.',
  );
});
