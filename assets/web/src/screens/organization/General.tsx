/** The organization itself: what it is called. */
import { updateOrganization } from '@/api/generated';
import { keys, queryClient } from '@/data/queries';
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
    say('The organization is renamed.');
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
            <Problem text={form.problem()} />
            <div>
              <Submit form={form}>Save the name</Submit>
            </div>
          </Form>
        ) : (
          <Remark>
            <p>Only the administrators of {organization.name} change these settings; you are a member.</p>
          </Remark>
        )}
        <Pairs
          of={[
            ...(isAdmin ? [] : [['Name', organization.name] as const]),
            ['In addresses', <code key="slug">{organization.slug}</code>],
            ['Id', <code key="id">{organization.id}</code>],
          ]}
        />
        <p>The short name in addresses stands in links and tokens, and never changes.</p>
      </Panel>
      {useMayFound() && (
        <Panel
          title="Another organization"
          about="For another company or a separate group: with its own maps, people and teams."
          actions={<NewOrganization />}
        />
      )}
    </>
  );
}
