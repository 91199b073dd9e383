import { describe, expect, it } from 'vitest';
import { approvalText, isEnded, isSubmitted, nextStep, reviewerStates } from './states';
import { ADA, draft, GRACE, review } from './testing';

describe('the reviewers of a draft', () => {
  it('wait until they review', () => {
    expect(reviewerStates(draft({ reviewers: [GRACE] }))).toEqual([
      { person: GRACE, isRequested: true, verdict: 'waiting' },
    ]);
  });

  it('include people who were not asked', () => {
    const states = reviewerStates(draft({ reviewers: [ADA], reviews: [review(GRACE)] }));
    expect(states.map(({ person, isRequested, verdict }) => [person.id, isRequested, verdict])).toEqual([
      [1, true, 'waiting'],
      [2, false, 'approved'],
    ]);
  });

  it('have approved until the draft changes', () => {
    const lapsed = draft({ reviews: [review(GRACE, { isCurrent: false })] });
    expect(reviewerStates(lapsed)[0]?.verdict).toBe('lapsed');
  });

  it('keep their verdict when they comment', () => {
    const commented = draft({ reviews: [review(GRACE), review(GRACE, { id: 2, verdict: 'comment' })] });
    expect(reviewerStates(commented)[0]?.verdict).toBe('approved');
  });

  it('wait again after the draft is submitted again', () => {
    const verdict = 'changes-requested' as const;
    expect(reviewerStates(draft({ reviews: [review(GRACE, { verdict })] }))[0]?.verdict).toBe(verdict);
    const again = draft({ reviews: [review(GRACE, { verdict, isCurrent: false })] });
    expect(reviewerStates(again)[0]?.verdict).toBe('waiting');
  });
});

describe('the next step of a draft', () => {
  it('is to submit it, for people who can edit it', () => {
    expect(nextStep(draft(), ADA.id)).toContain('submit');
    expect(nextStep(draft({ canEdit: false }), GRACE.id)).toBe(
      'Ada has not submitted this draft for review yet.',
    );
  });

  it('counts the approvals that are missing', () => {
    const open = draft({ state: 'open', requiredApprovals: 2, approvals: 1 });
    expect(nextStep(open, ADA.id)).toBe('Waiting for 1 more approval.');
    expect(nextStep({ ...open, canReview: true, approvals: 0 }, GRACE.id)).toContain('2 more approvals');
    expect(approvalText(open)).toBe('1 of 2 approvals');
  });

  it('is the merge, for people who can merge', () => {
    expect(nextStep(draft({ state: 'approved', canMerge: true }), GRACE.id)).toBe('You can merge the draft.');
    expect(nextStep(draft({ state: 'approved' }), ADA.id)).toContain('An editor of the workspace');
    const exempt = draft({ state: 'open', canMerge: true, requiredApprovals: 1 });
    expect(nextStep(exempt, ADA.id)).toContain('because owners are exempt');
    expect(nextStep({ ...exempt, requiredApprovals: 0 }, ADA.id)).toContain('No approval is required');
  });
});

it('a draft is submitted between its submission and its end', () => {
  expect(isSubmitted(draft())).toBe(false);
  expect(isSubmitted(draft({ state: 'changes-requested' }))).toBe(true);
  expect(isSubmitted(draft({ state: 'merged' }))).toBe(false);
  expect(isEnded(draft({ state: 'closed' }))).toBe(true);
});
