/** The name of the organization. */
import { updateOrganization } from '@/api/generated';
import { keys, queryClient } from '@/app/queries';
import { Pairs } from '@/ui/DataList';
import { TextField } from '@/ui/Field';
import { Form, Problem, Remark, Submit } from '@/ui/Form';
import { Panel } from '@/ui/Sections';
import { say } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { NewOrganization, useMayFound } from './NewOrganization';
import type { OfOrganization } from './OrganizationSettings';

export function General({ organization }: OfOrganization) {
  const isAdmin = organization.role === 'org:admin';
  const form = useForm(['name'], async ({ name }) => {
    await updateOrganization(organization.id, { name });
    await queryClient.invalidateQueries({ queryKey: keys.organizations });
    say('Organization renamed');
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
              problem={form.problem('name')}
            />
            <Problem text={form.problem()} />
            <div>
              <Submit form={form}>Save name</Submit>
            </div>
          </Form>
        ) : (
          <Remark>
            <p>Only administrators of {organization.name} can change these settings.</p>
          </Remark>
        )}
        <Pairs
          of={[
            ...(isAdmin ? [] : [['Name', organization.name] as const]),
            ['URL slug', <code key="slug">{organization.slug}</code>],
            ['ID', <code key="id">{organization.id}</code>],
          ]}
        />
        <p>The slug appears in URLs and tokens and can’t be changed.</p>
      </Panel>
      {useMayFound() && (
        <Panel
          title="Create another organization"
          about="For another company or a separate group, with its own workspaces, people and teams."
          actions={<NewOrganization />}
        />
      )}
    </>
  );
}
