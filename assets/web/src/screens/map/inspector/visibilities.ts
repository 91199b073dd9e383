/** Who sees a workspace beside its members, in words. */
import type { Visibility } from '@/api/generated';

export const VISIBILITIES: readonly { id: Visibility; name: string; what: string }[] = [
  {
    id: 'org',
    name: 'The organization',
    what: 'Everybody in the organization sees it; members may do more.',
  },
  { id: 'members', name: 'Members', what: 'Its members see it, and the organization’s administrators.' },
  { id: 'private', name: 'Private', what: 'Its members alone see it, not even administrators.' },
];
