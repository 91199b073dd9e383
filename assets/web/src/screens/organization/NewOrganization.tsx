/** The founding of an organization, for whoever may. */
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

/** Whether one may found organizations here; unknown until it was asked. */
export const useCanCreateOrganization = (): boolean | undefined => useMe().data?.mayFoundOrganizations;

/** The way to found one. Nothing where one may not: then say whom to ask. */
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
          It has its own maps, people, teams and roles; nobody in your other organizations sees them. You
          administer it.
        </p>
        <Fields onClose={close} />
      </Dialog>
    </>
  );
}

/** One may have been allowed to when the dialog was opened, and not any more. */
function withContactHint(failure: unknown, name: string): unknown {
  if (!(failure instanceof ApiError) || failure.status !== 403) return failure;
  const error =
    'Here only administrators of the instance found organizations, and nothing was made. Ask one of them to found ' +
    `“${name}” and to invite you, or to let everyone found organizations in the settings of the instance.`;
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
        problem={form.problem('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Short name in addresses"
        name="slug"
        autoComplete="off"
        autoCapitalize="none"
        placeholder={organizationSlug(name)}
        hint="Small letters, digits and dashes. Made from the name when you leave it empty; it never changes."
        problem={form.problem('slug')}
      />
      <FormError text={form.problem()} />
      <SubmitButton form={form}>Found it</SubmitButton>
    </Form>
  );
}
