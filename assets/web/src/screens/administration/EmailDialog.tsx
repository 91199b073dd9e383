/** The e-mail address of an account: by it whoever comes from an identity provider is known for its user. */
import { type User, updateUser } from '@/api/generated';
import { accountQueryKeys, invalidate } from '@/data/accountQueries';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';

interface Props {
  /** Whose; none while nobody is asked. */
  user: User | null;
  onClose: () => void;
}

export function EmailDialog({ user, onClose }: Props) {
  return (
    <Dialog
      open={user !== null}
      onClose={onClose}
      title={user ? `E-mail address of ${user.displayName}` : 'E-mail address'}
    >
      {user && <Fields user={user} onClose={onClose} />}
    </Dialog>
  );
}

function Fields({ user, onClose }: { user: User; onClose: () => void }) {
  const form = useForm(['email'], async ({ email }) => {
    await updateUser(user.id, { email });
    await invalidate(accountQueryKeys.users);
    onClose();
    showToast(
      email.trim()
        ? `${user.displayName} has the address ${email.trim()}.`
        : `${user.displayName} has no address.`,
    );
  });
  return (
    <Form form={form}>
      <p>
        Whoever signs in at an identity provider that has verified the same address comes to this account;
        without one they get a new account. Make sure that it is theirs.
      </p>
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="off"
        autoFocus
        hint="Empty: none."
        defaultValue={user.email ?? ''}
        problem={form.problem('email')}
      />
      <FormError text={form.problem()} />
      <SubmitButton form={form}>Save it</SubmitButton>
    </Form>
  );
}
