/** The organization itself: what it is called. */
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
    showToast('The organization is renamed.');
  });
  return (
    <>
      <Panel title="General">
        {isAdmin ? (
          <Form form={form}>
            <TextField
              // Whatever it is called by now is what one begins with.
              key={organization.name}
              label="Name"
              name="name"
              autoComplete="off"
              defaultValue={organization.name}
              problem={form.problem('name')}
            />
            <FormError text={form.problem()} />
            <div>
              <SubmitButton form={form}>Save the name</SubmitButton>
            </div>
          </Form>
        ) : (
          <FormNote>
            <p>Only the administrators of {organization.name} change these settings; you are a member.</p>
          </FormNote>
        )}
        <DescriptionList
          of={[
            ...(isAdmin ? [] : [['Name', organization.name] as const]),
            ['In addresses', <code key="slug">{organization.slug}</code>],
            ['Id', <code key="id">{organization.id}</code>],
          ]}
        />
        <p>The short name in addresses stands in links and tokens, and never changes.</p>
      </Panel>
      {useCanCreateOrganization() && (
        <Panel
          title="Another organization"
          about="For another company or a separate group: with its own maps, people and teams."
          actions={<NewOrganization />}
        />
      )}
    </>
  );
}
