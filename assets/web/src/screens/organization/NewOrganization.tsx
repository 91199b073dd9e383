/** Creates an organization, if the user is allowed to. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '@/api/errors';
import { createOrganization } from '@/api/generated';
import { organizationSlug } from '@/core/account/slug';
import { useMe } from '@/data/accountQueries';
import { queryClient, queryKeys } from '@/data/queries';
import { orgPath } from '@/routing/paths';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { useForm } from '@/ui/useForm';

/** Whether the user can create organizations; undefined while unknown. */
export const useCanCreateOrganization = (): boolean | undefined => useMe().data?.mayFoundOrganizations;

/** The button to create an organization. Renders nothing if the user is not allowed to. */
export function NewOrganization({ kind }: { kind?: 'main' }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (!useCanCreateOrganization()) return null;
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        New organization
      </Button>
      <Dialog open={open} onClose={close} title="New organization">
        <p>
          An organization has its own workspaces, people, teams and roles, which members of your other
          organizations can’t see. You become its administrator.
        </p>
        <Fields onClose={close} />
      </Dialog>
    </>
  );
}

/** The permission may have been revoked since the dialog opened. */
function withContactHint(failure: unknown, name: string): unknown {
  if (!(failure instanceof ApiError) || failure.status !== 403) return failure;
  const error =
    'Only administrators of this instance can create organizations. Ask one of them to create ' +
    `“${name}” and invite you, or to let everyone create organizations in the instance settings.`;
  return new ApiError(failure.status, { ...failure.body, error });
}

function Fields({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const form = useForm(['name', 'slug'], async (fields) => {
    const slug = fields.slug.trim();
    const { organization } = await createOrganization({
      name: fields.name,
      ...(slug ? { slug } : {}),
    }).catch((failure: unknown) => {
      throw withContactHint(failure, fields.name.trim());
    });
    await queryClient.invalidateQueries({ queryKey: queryKeys.organizations });
    onClose();
    navigate(orgPath(organization.slug));
  });
  return (
    <Form form={form}>
      <TextField
        label="Name"
        name="name"
        autoComplete="organization"
        autoFocus
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="URL slug"
        name="slug"
        autoComplete="off"
        autoCapitalize="none"
        placeholder={organizationSlug(name)}
        hint="Lowercase letters, digits and hyphens. Leave empty to derive it from the name. You can’t change it later."
      />
      <FormError text={form.problem()} />
      <SubmitButton form={form}>Create organization</SubmitButton>
    </Form>
  );
}
