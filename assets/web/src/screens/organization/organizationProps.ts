/** Props of all sections of the organization settings. */
import type { Organization } from '@/api/generated';

export interface OrganizationProps {
  organization: Organization;
}
