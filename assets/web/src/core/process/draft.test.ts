import { expect, it } from 'vitest';
import {
  acceptTheirs,
  isDirty,
  keepMine,
  markRejected,
  markSent,
  type ProcessContent,
  startDraft,
  unsentFields,
  withInput,
  withServerState,
} from './draft';

const SERVER: ProcessContent = {
  name: 'Check out',
  description: '',
  mermaid: 'one',
  participants: { A: 'a' },
};

it('shows the server state if there is no local input', () => {
  const draft = withServerState(startDraft(SERVER), { ...SERVER, mermaid: 'two' });
  expect(draft.mine.mermaid).toBe('two');
  expect(isDirty(draft)).toBe(false);
});

it('sends input once, and recognizes it in the server state', () => {
  let draft = withInput(startDraft(SERVER), { mermaid: 'mine' });
  expect(unsentFields(draft)).toEqual({ mermaid: 'mine' });
  draft = markSent(draft, unsentFields(draft));
  expect(unsentFields(draft)).toEqual({});
  draft = withInput(draft, { mermaid: 'mine, and more' });
  draft = withServerState(draft, { ...SERVER, mermaid: 'mine' });
  expect(draft.theirs).toEqual({});
  expect(draft.mine.mermaid).toBe('mine, and more');
  expect(unsentFields(draft)).toEqual({ mermaid: 'mine, and more' });
});

it('keeps input in a conflict, and offers the other version', () => {
  const draft = withServerState(withInput(startDraft(SERVER), { mermaid: 'mine', name: 'Pay' }), {
    ...SERVER,
    mermaid: 'theirs',
  });
  expect(draft.mine.mermaid).toBe('mine');
  expect(draft.theirs).toEqual({ mermaid: 'theirs' });
  expect(unsentFields(draft)).toEqual({ name: 'Pay' });
  expect(acceptTheirs(draft).mine.mermaid).toBe('theirs');
  const resolved = keepMine(draft);
  expect(unsentFields(resolved)).toEqual({ mermaid: 'mine', name: 'Pay' });
  expect(resolved.base.mermaid).toBe('theirs');
});

it('can resend rejected input', () => {
  const draft = markSent(withInput(startDraft(SERVER), { mermaid: 'mine' }), { mermaid: 'mine' });
  expect(unsentFields(markRejected(draft))).toEqual({ mermaid: 'mine' });
});

it('merges concurrent mappings', () => {
  const draft = withServerState(withInput(startDraft(SERVER), { participants: { A: 'a', B: 'b' } }), {
    ...SERVER,
    participants: { A: 'a', C: 'c' },
  });
  expect(draft.theirs).toEqual({});
  expect(draft.mine.participants).toEqual({ A: 'a', B: 'b', C: 'c' });
  expect(isDirty(draft)).toBe(true);
});

it('restores a stored draft', () => {
  const stored = { mine: { ...SERVER, mermaid: 'half' }, base: SERVER };
  expect(startDraft(SERVER, stored).mine.mermaid).toBe('half');
  expect(startDraft({ ...SERVER, mermaid: 'theirs' }, stored).theirs).toEqual({ mermaid: 'theirs' });
});
