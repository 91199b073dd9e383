/** What every section of the organization settings is given. */
import type { Organization } from '@/api/generated';

export interface OrganizationProps {
  organization: Organization;
}
