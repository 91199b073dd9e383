/** Names and explanations of workspace visibilities. */
import type { Visibility } from '@/api/generated';

export const VISIBILITIES: readonly { id: Visibility; name: string; what: string }[] = [
  {
    id: 'org',
    name: 'The organization',
    what: 'Everyone in the organization can view. People added below can have more access.',
  },
  { id: 'members', name: 'Members', what: 'Only members and organization administrators can view.' },
  { id: 'private', name: 'Private', what: 'Only members can view. Organization administrators can’t.' },
];
