/** The words for kinds of threads and what they are about. */

import type { NewThread } from '@/api/generated';
import type { AnchorKind } from '@/core/comments/overview';

export type ThreadKind = NonNullable<NewThread['kind']>;

export const KINDS: readonly { id: ThreadKind; name: string }[] = [
  { id: 'comment', name: 'Comment' },
  { id: 'question', name: 'Question' },
  { id: 'inaccurate', name: 'Map is inaccurate' },
];

export function kindName(kind: ThreadKind): string {
  return KINDS.find(({ id }) => id === kind)?.name ?? kind;
}

export const ANCHOR_NAMES: Readonly<Record<AnchorKind, string>> = {
  component: 'Component',
  relationship: 'Relationship',
  process: 'Process',
  view: 'View',
  workspace: 'Workspace',
};
