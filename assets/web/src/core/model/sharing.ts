/** Who can view a workspace, and what its organization can do in it, as one choice with an explanation. */
import type { OrganizationAccess, Visibility } from '@/api/generated';

export interface Sharing {
  visibility: Visibility;
  /** What members of the organization can do if the visibility is `org`. */
  organizationAccess: OrganizationAccess;
}

export interface SharingOption extends Partial<Sharing> {
  id: string;
  visibility: Visibility;
  name: string;
  meaning: string;
}

export const SHARING_OPTIONS: readonly SharingOption[] = [
  {
    id: 'org-edit',
    visibility: 'org',
    organizationAccess: 'edit',
    name: 'Organization can edit',
    meaning: 'Everyone in the organization can view and edit. Only owners can change access or delete it.',
  },
  {
    id: 'org-view',
    visibility: 'org',
    organizationAccess: 'view',
    name: 'Organization can view',
    meaning: 'Everyone in the organization can view. Owners choose who can edit.',
  },
  {
    id: 'members',
    visibility: 'members',
    name: 'Members',
    meaning: 'Only people you add and organization administrators can view.',
  },
  {
    id: 'private',
    visibility: 'private',
    name: 'Private',
    meaning: 'Only people you add. Organization administrators can’t view it.',
  },
];

/** Proposed for new workspaces in the browser. */
export const DEFAULT_SHARING: Sharing = { visibility: 'org', organizationAccess: 'edit' };

/** The option that describes the sharing of a workspace. */
export function sharingOption({ visibility, organizationAccess }: Sharing): SharingOption {
  const matches = (option: SharingOption) =>
    option.visibility === visibility &&
    (option.organizationAccess === undefined || option.organizationAccess === organizationAccess);
  return SHARING_OPTIONS.find(matches) as SharingOption;
}

/** The sharing after an option is selected. Options that do not say what the organization can do keep it. */
export function withOption(sharing: Sharing, option: SharingOption): Sharing {
  const { visibility, organizationAccess = sharing.organizationAccess } = option;
  return { visibility, organizationAccess };
}

/** The fields that differ. */
export function changedSharing(before: Sharing, after: Sharing): Partial<Sharing> {
  return {
    ...(after.visibility === before.visibility ? {} : { visibility: after.visibility }),
    ...(after.organizationAccess === before.organizationAccess
      ? {}
      : { organizationAccess: after.organizationAccess }),
  };
}
