/** Nothing that is typed is lost, whatever the server tells meanwhile. */
import { expect, it } from 'vitest';
import {
  begun,
  type Content,
  isDirty,
  keptMine,
  refused,
  sending,
  told,
  tookTheirs,
  typed,
  unsent,
} from './draft';

const SERVER: Content = { name: 'Check out', description: '', mermaid: 'one', participants: { A: 'a' } };

it('shows what the server has as long as nothing is typed', () => {
  const draft = told(begun(SERVER), { ...SERVER, mermaid: 'two' });
  expect(draft.mine.mermaid).toBe('two');
  expect(isDirty(draft)).toBe(false);
});

it('sends what was typed once, and knows it when it comes back', () => {
  let draft = typed(begun(SERVER), { mermaid: 'mine' });
  expect(unsent(draft)).toEqual({ mermaid: 'mine' });
  draft = sending(draft, unsent(draft));
  expect(unsent(draft)).toEqual({});
  draft = typed(draft, { mermaid: 'mine, and more' });
  draft = told(draft, { ...SERVER, mermaid: 'mine' });
  expect(draft.theirs).toEqual({});
  expect(draft.mine.mermaid).toBe('mine, and more');
  expect(unsent(draft)).toEqual({ mermaid: 'mine, and more' });
});

it('keeps what is typed when somebody else writes the same, and offers theirs', () => {
  const draft = told(typed(begun(SERVER), { mermaid: 'mine', name: 'Pay' }), {
    ...SERVER,
    mermaid: 'theirs',
  });
  expect(draft.mine.mermaid).toBe('mine');
  expect(draft.theirs).toEqual({ mermaid: 'theirs' });
  expect(unsent(draft)).toEqual({ name: 'Pay' });
  expect(tookTheirs(draft).mine.mermaid).toBe('theirs');
  const kept = keptMine(draft);
  expect(unsent(kept)).toEqual({ mermaid: 'mine', name: 'Pay' });
  expect(kept.base.mermaid).toBe('theirs');
});

it('lets what was refused be sent again', () => {
  const draft = sending(typed(begun(SERVER), { mermaid: 'mine' }), { mermaid: 'mine' });
  expect(unsent(refused(draft))).toEqual({ mermaid: 'mine' });
});

it('joins what two people map at once', () => {
  const draft = told(typed(begun(SERVER), { participants: { A: 'a', B: 'b' } }), {
    ...SERVER,
    participants: { A: 'a', C: 'c' },
  });
  expect(draft.theirs).toEqual({});
  expect(draft.mine.participants).toEqual({ A: 'a', B: 'b', C: 'c' });
  expect(isDirty(draft)).toBe(true);
});

it('goes on with what was kept from before', () => {
  const kept = { mine: { ...SERVER, mermaid: 'half' }, base: SERVER };
  expect(begun(SERVER, kept).mine.mermaid).toBe('half');
  expect(begun({ ...SERVER, mermaid: 'theirs' }, kept).theirs).toEqual({ mermaid: 'theirs' });
});
