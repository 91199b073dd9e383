/** Names and explanations of access levels and visibilities. */
import type { AccessLevel, Visibility } from '@/api/generated';

export const VISIBILITIES: readonly { id: Visibility; name: string; meaning: string }[] = [
  {
    id: 'org',
    name: 'Organization',
    meaning: 'Everyone in the organization can view. Owners choose who can edit.',
  },
  {
    id: 'members',
    name: 'Members',
    meaning: 'Only people you add and organization administrators can view.',
  },
  {
    id: 'private',
    name: 'Private',
    meaning: 'Only people you add. Organization administrators can’t view it.',
  },
];

export const LEVELS: Record<AccessLevel, string> = {
  viewer: 'View only',
  editor: 'Can edit',
  owner: 'Owner',
};
