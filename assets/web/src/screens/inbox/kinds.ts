/** Names and explanations of the kinds of notifications. */
import type { NotificationKind } from '@/api/generated';

export const KINDS: readonly { id: NotificationKind; name: string; hint: string }[] = [
  { id: 'mention', name: 'Mentions', hint: 'Someone writes @ and your login in a comment.' },
  { id: 'reply', name: 'Replies', hint: 'In threads that you wrote in, were mentioned in, or follow.' },
  {
    id: 'watched',
    name: 'Watched',
    hint: 'Changes and new threads in workspaces, components and teams that you watch.',
  },
  {
    id: 'review-request',
    name: 'Reviews',
    hint: 'A draft waits for your review, or a draft that you wrote was reviewed.',
  },
  {
    id: 'draft-merged',
    name: 'Merged and closed drafts',
    hint: 'A draft that you wrote was merged or closed, or one that you were asked to review was merged.',
  },
  { id: 'invitation', name: 'Access', hint: 'Someone gives you access to a workspace, or a higher level.' },
  {
    id: 'stale-source',
    name: 'Stale sources',
    hint: 'Sources of a workspace that you own were not synchronized for a while.',
  },
];
