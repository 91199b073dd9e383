/** Shown to members in place of settings that only administrators can change. */
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
          This page is for administrators of {organization.name}. Ask one of them to make the change or to
          give you the administrator role.
        </p>
      </FormNote>
    </Panel>
  );
}
