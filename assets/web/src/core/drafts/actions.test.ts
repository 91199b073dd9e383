import { describe, expect, it } from 'vitest';
import { actionTitle, draftActions } from './actions';
import { ADA, draft, GRACE } from './testing';

describe('the actions on a draft', () => {
  it('of its author begin with the submission', () => {
    expect(draftActions(draft(), ADA.id)).toEqual({ main: 'submit', others: ['edit', 'comment', 'close'] });
  });

  it('of an editor of the workspace begin with the review, then the merge', () => {
    const open = draft({ state: 'open', canReview: true, canMerge: true });
    expect(draftActions(open, GRACE.id).main).toBe('review');
    expect(draftActions({ ...open, state: 'approved' }, GRACE.id)).toMatchObject({
      main: 'merge',
      others: ['review', 'edit', 'withdraw', 'close'],
    });
  });

  it('of a reader are comments', () => {
    const other = draft({ state: 'open', canEdit: false });
    expect(draftActions(other, GRACE.id)).toEqual({ main: null, others: ['comment'] });
  });

  it('after a request for changes begin with submitting again, for the author', () => {
    const requested = draft({ state: 'changes-requested' });
    expect(draftActions(requested, ADA.id).main).toBe('submit');
    expect(actionTitle('submit', requested)).toBe('Submit again');
    const editor = draftActions({ ...requested, canReview: true }, GRACE.id);
    expect(editor.main).toBe('review');
    expect(editor.others).toContain('submit');
  });

  it('include the update while the workspace has changed', () => {
    expect(draftActions(draft({ isBehind: true }), ADA.id).others).toContain('update');
  });

  it('of an ended draft reopen it while its map exists', () => {
    const closed = draft({ state: 'closed', canEdit: false });
    expect(draftActions(closed, ADA.id)).toEqual({ main: null, others: ['reopen'] });
    expect(draftActions({ ...closed, hasMap: false }, ADA.id).others).toEqual([]);
    expect(draftActions(closed, GRACE.id).others).toEqual([]);
    expect(draftActions(closed, GRACE.id, true).others).toEqual(['reopen']);
  });
});
