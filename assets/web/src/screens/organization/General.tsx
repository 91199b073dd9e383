/** The name of the organization. */
import { updateOrganization } from '@/api/generated';
import { queryClient, queryKeys } from '@/data/queries';
import { DescriptionList } from '@/ui/DataList';
import { TextField } from '@/ui/Field';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { NewOrganization, useCanCreateOrganization } from './NewOrganization';
import type { OrganizationProps } from './organizationProps';

export function General({ organization }: OrganizationProps) {
  const isAdmin = organization.role === 'org:admin';
  const form = useForm(['name'], async ({ name }) => {
    await updateOrganization(organization.id, { name });
    await queryClient.invalidateQueries({ queryKey: queryKeys.organizations });
    showToast('Organization renamed');
  });
  return (
    <>
      <Panel title="General">
        {isAdmin ? (
          <Form form={form}>
            <TextField
              // The form starts with the current name.
              key={organization.name}
              label="Name"
              name="name"
              autoComplete="off"
              defaultValue={organization.name}
            />
            <FormError text={form.problem()} />
            <div>
              <SubmitButton form={form}>Save name</SubmitButton>
            </div>
          </Form>
        ) : (
          <FormNote>
            <p>Only administrators of {organization.name} can change these settings.</p>
          </FormNote>
        )}
        <DescriptionList
          of={[
            ...(isAdmin ? [] : [['Name', organization.name] as const]),
            ['URL slug', <code key="slug">{organization.slug}</code>],
            ['ID', <code key="id">{organization.id}</code>],
          ]}
        />
        <p>The slug appears in URLs and tokens and can’t be changed.</p>
      </Panel>
      {useCanCreateOrganization() && (
        <Panel
          title="Create another organization"
          about="For another company or a separate group, with its own workspaces, people and teams."
          actions={<NewOrganization />}
        />
      )}
    </>
  );
}
