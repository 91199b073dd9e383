/** Nothing that is typed is lost, whatever the server tells meanwhile. */
import { expect, it } from 'vitest';
import {
  acceptTheirs,
  isDirty,
  keepMine,
  markRefused,
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

it('shows what the server has as long as nothing is typed', () => {
  const draft = withServerState(startDraft(SERVER), { ...SERVER, mermaid: 'two' });
  expect(draft.mine.mermaid).toBe('two');
  expect(isDirty(draft)).toBe(false);
});

it('sends what was typed once, and knows it when it comes back', () => {
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

it('keeps what is typed when somebody else writes the same, and offers theirs', () => {
  const draft = withServerState(withInput(startDraft(SERVER), { mermaid: 'mine', name: 'Pay' }), {
    ...SERVER,
    mermaid: 'theirs',
  });
  expect(draft.mine.mermaid).toBe('mine');
  expect(draft.theirs).toEqual({ mermaid: 'theirs' });
  expect(unsentFields(draft)).toEqual({ name: 'Pay' });
  expect(acceptTheirs(draft).mine.mermaid).toBe('theirs');
  const kept = keepMine(draft);
  expect(unsentFields(kept)).toEqual({ mermaid: 'mine', name: 'Pay' });
  expect(kept.base.mermaid).toBe('theirs');
});

it('lets what was refused be sent again', () => {
  const draft = markSent(withInput(startDraft(SERVER), { mermaid: 'mine' }), { mermaid: 'mine' });
  expect(unsentFields(markRefused(draft))).toEqual({ mermaid: 'mine' });
});

it('joins what two people map at once', () => {
  const draft = withServerState(withInput(startDraft(SERVER), { participants: { A: 'a', B: 'b' } }), {
    ...SERVER,
    participants: { A: 'a', C: 'c' },
  });
  expect(draft.theirs).toEqual({});
  expect(draft.mine.participants).toEqual({ A: 'a', B: 'b', C: 'c' });
  expect(isDirty(draft)).toBe(true);
});

it('goes on with what was kept from before', () => {
  const kept = { mine: { ...SERVER, mermaid: 'half' }, base: SERVER };
  expect(startDraft(SERVER, kept).mine.mermaid).toBe('half');
  expect(startDraft({ ...SERVER, mermaid: 'theirs' }, kept).theirs).toEqual({ mermaid: 'theirs' });
});
