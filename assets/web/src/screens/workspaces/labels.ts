/** What access levels and visibilities are called, and what they mean. */
import type { AccessLevel, Visibility } from '@/api/generated';

export const VISIBILITIES: readonly { id: Visibility; name: string; meaning: string }[] = [
  {
    id: 'org',
    name: 'Organization',
    meaning: 'Everybody in the organization sees it. Who may change it is for its owners to say.',
  },
  {
    id: 'members',
    name: 'Members',
    meaning: 'Only those who were added see it, and the administrators of the organization.',
  },
  {
    id: 'private',
    name: 'Private',
    meaning: 'Only those who were added see it: not even the administrators of the organization.',
  },
];

export const LEVELS: Record<AccessLevel, string> = {
  viewer: 'You may look',
  editor: 'You may edit',
  owner: 'You own it',
};
