/** What the current user can do with a draft, most important first. */
import type { Draft } from '@/api/generated';
import { isEnded, isSubmitted } from './states';

export type DraftActionId =
  | 'submit'
  | 'review'
  | 'merge'
  | 'update'
  | 'edit'
  | 'withdraw'
  | 'comment'
  | 'close'
  | 'reopen';

export interface DraftActions {
  /** The next step; null if others have to act. */
  main: DraftActionId | null;
  others: readonly DraftActionId[];
}

/** `isEditor`: whether the user is known to be an editor of the base, which drafts that have ended do not say. */
export function draftActions(draft: Draft, userId: number | undefined, isEditor = false): DraftActions {
  const isAuthor = draft.author.id === userId;
  if (isEnded(draft)) {
    return { main: null, others: draft.hasMap && (isEditor || isAuthor) ? ['reopen'] : [] };
  }
  const actions = ORDER.filter(({ isPossible }) => isPossible(draft, isAuthor)).map(({ id }) => id);
  const [first, ...rest] = actions;
  return first && MAIN.has(first) ? { main: first, others: rest } : { main: null, others: actions };
}

/** Actions that move the draft towards its merge. */
const MAIN: ReadonlySet<DraftActionId> = new Set(['merge', 'submit', 'review']);

interface PossibleAction {
  id: DraftActionId;
  isPossible: (draft: Draft, isAuthor: boolean) => boolean;
}

/** The actions of an unfinished draft. Authors answer a request for changes first; others review again. */
const ORDER: readonly PossibleAction[] = [
  { id: 'merge', isPossible: ({ canMerge, state }) => canMerge && state === 'approved' },
  {
    id: 'submit',
    isPossible: (draft, isAuthor) =>
      draft.canEdit && (isAuthor ? needsSubmission(draft) : draft.state === 'draft'),
  },
  { id: 'review', isPossible: (draft) => draft.canReview && isSubmitted(draft) },
  { id: 'merge', isPossible: ({ canMerge, state }) => canMerge && state !== 'approved' },
  { id: 'update', isPossible: ({ canEdit, isBehind }) => canEdit && isBehind },
  { id: 'edit', isPossible: ({ canEdit }) => canEdit },
  {
    id: 'submit',
    isPossible: (draft, isAuthor) => draft.canEdit && !isAuthor && draft.state === 'changes-requested',
  },
  { id: 'withdraw', isPossible: (draft) => draft.canEdit && isSubmitted(draft) },
  { id: 'comment', isPossible: (draft) => !(draft.canReview && isSubmitted(draft)) },
  { id: 'close', isPossible: ({ canEdit }) => canEdit },
];

function needsSubmission({ state }: Draft): boolean {
  return state === 'draft' || state === 'changes-requested';
}

export function actionTitle(action: DraftActionId, { state }: Pick<Draft, 'state'>): string {
  switch (action) {
    case 'submit':
      return state === 'changes-requested' ? 'Submit again' : 'Submit for review';
    case 'review':
      return 'Review changes';
    case 'merge':
      return 'Merge draft';
    case 'update':
      return 'Update from workspace';
    case 'edit':
      return 'Edit draft details';
    case 'withdraw':
      return 'Withdraw from review';
    case 'comment':
      return 'Comment on draft';
    case 'close':
      return 'Close draft';
    case 'reopen':
      return 'Reopen draft';
  }
}
