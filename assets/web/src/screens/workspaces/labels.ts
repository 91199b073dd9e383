/** Names of access levels. */
import type { AccessLevel } from '@/api/generated';

export const LEVELS: Record<AccessLevel, string> = {
  viewer: 'View only',
  editor: 'Can edit',
  owner: 'Owner',
};
