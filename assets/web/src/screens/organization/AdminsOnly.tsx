/** Why somebody who is no administrator of the organization sees nothing to change here. */
import type { ReactNode } from 'react';
import type { Organization } from '@/api/generated';
import { FormNote } from '@/ui/Form';
import { Panel } from '@/ui/Sections';

interface Props {
  organization: Organization;
  title: string;
  children: ReactNode;
}

export function AdminsOnly({ organization, title, children }: Props) {
  if (organization.role === 'org:admin') return children;
  return (
    <Panel title={title}>
      <FormNote>
        <p>
          This is for the administrators of {organization.name}; you are a member. Ask one of them to do it,
          or to make you an administrator too.
        </p>
      </FormNote>
    </Panel>
  );
}
