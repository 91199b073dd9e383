/** The states of a draft in words, and what its users can do next. */
import type { Draft, DraftReview, DraftState, Profile, ReviewState } from '@/api/generated';
import { formatCount } from '@/core/text';

export type Tone = 'plain' | 'good' | 'warn' | 'alarm';

export const STATES: Readonly<Record<DraftState, { name: string; tone: Tone }>> = {
  draft: { name: 'In progress', tone: 'plain' },
  open: { name: 'In review', tone: 'warn' },
  'changes-requested': { name: 'Changes requested', tone: 'alarm' },
  approved: { name: 'Approved', tone: 'good' },
  merged: { name: 'Merged', tone: 'good' },
  closed: { name: 'Closed', tone: 'plain' },
};

/** The states of drafts that are neither merged nor closed. */
export const UNFINISHED: readonly DraftState[] = ['draft', 'open', 'changes-requested', 'approved'];

/** Whether a draft was merged or closed. */
export function isEnded({ state }: Pick<Draft, 'state'>): boolean {
  return state === 'merged' || state === 'closed';
}

/** Whether a draft was submitted for review and is not merged or closed. */
export function isSubmitted({ state }: Pick<Draft, 'state'>): boolean {
  return state === 'open' || state === 'changes-requested' || state === 'approved';
}

/** The filters of the list of drafts. */
export const DRAFT_FILTERS = [
  { id: 'unfinished', name: 'Unfinished', states: UNFINISHED },
  { id: 'waiting', name: 'Waiting for my review', states: [] },
  { id: 'review', name: 'In review', states: ['open', 'changes-requested', 'approved'] },
  { id: 'progress', name: 'In progress', states: ['draft'] },
  { id: 'merged', name: 'Merged', states: ['merged'] },
  { id: 'closed', name: 'Closed', states: ['closed'] },
  { id: 'all', name: 'All', states: [] },
] as const satisfies readonly { id: string; name: string; states: readonly DraftState[] }[];

export type DraftFilterId = (typeof DRAFT_FILTERS)[number]['id'];

export const VERDICTS: Readonly<Record<ReviewState, string>> = {
  approved: 'approved',
  'changes-requested': 'requested changes',
  comment: 'commented',
};

/** How many approvals a merge needs: `1 of 2 approvals`. Empty if none are required. */
export function approvalText({ approvals, requiredApprovals }: Draft): string {
  if (requiredApprovals > 0) {
    return `${approvals.toLocaleString('en')} of ${formatCount(requiredApprovals, 'approval')}`;
  }
  return approvals > 0 ? formatCount(approvals, 'approval') : '';
}

/** What has to happen next, for the current user. */
export function nextStep(draft: Draft, userId: number | undefined): string {
  const { state, canEdit, canMerge, author } = draft;
  const isOwn = author.id === userId;
  switch (state) {
    case 'draft':
      return canEdit
        ? 'Edit the map, then submit the draft for review.'
        : `${author.displayName} has not submitted this draft for review yet.`;
    case 'changes-requested':
      return canEdit && isOwn
        ? 'A reviewer requested changes. Edit the map, then submit the draft again.'
        : 'A reviewer requested changes. The author can edit the map and submit the draft again.';
    case 'open':
      return nextStepInReview(draft);
    case 'approved':
      return canMerge ? 'You can merge the draft.' : 'Approved. An editor of the workspace can merge it.';
    case 'merged':
      return 'Its changes are in the workspace.';
    case 'closed':
      return canEdit || isOwn ? 'Closed without merging. You can reopen it.' : 'Closed without merging.';
  }
}

function nextStepInReview({ canReview, canMerge, requiredApprovals, approvals }: Draft): string {
  const missing = Math.max(0, requiredApprovals - approvals);
  const count = formatCount(missing, 'more approval', 'more approvals');
  if (canReview && missing > 0) return `Review the changes. The merge needs ${count}.`;
  if (canMerge && missing > 0) return 'You can merge the draft without approvals, because owners are exempt.';
  if (canMerge) return 'No approval is required. You can merge the draft.';
  if (missing > 0) return `Waiting for ${count}.`;
  return 'Waiting for a review. An editor of the workspace can merge the draft.';
}

/** The last verdict of a reviewer, or that a requested review is missing. */
export interface ReviewerState {
  person: Profile;
  isRequested: boolean;
  /** `lapsed`: approved, but the draft has changed since. */
  verdict: 'approved' | 'changes-requested' | 'lapsed' | 'comment' | 'waiting';
}

/** The requested reviewers in order, then others who have reviewed. */
export function reviewerStates({
  reviewers,
  reviews,
}: Pick<Draft, 'reviewers' | 'reviews'>): ReviewerState[] {
  const people = new Map<number, Profile>(reviewers.map((person) => [person.id, person]));
  for (const { reviewer } of reviews) if (!people.has(reviewer.id)) people.set(reviewer.id, reviewer);
  const requested = new Set(reviewers.map(({ id }) => id));
  return [...people.values()].map((person) => ({
    person,
    isRequested: requested.has(person.id),
    verdict: verdictOf(reviews.filter(({ reviewer }) => reviewer.id === person.id)),
  }));
}

/** Comments do not replace an earlier verdict. */
function verdictOf(own: readonly DraftReview[]): ReviewerState['verdict'] {
  const last = own.findLast(({ verdict }) => verdict !== 'comment') ?? own.at(-1);
  if (!last) return 'waiting';
  if (last.verdict === 'comment') return 'comment';
  if (last.isCurrent) return last.verdict;
  // A request for changes ends when the draft is submitted again.
  return last.verdict === 'approved' ? 'lapsed' : 'waiting';
}
