/** Edits the email of an account, which links it to users of an identity provider. */
import { type User, updateUser } from '@/api/generated';
import { accountQueryKeys, invalidate } from '@/data/accountQueries';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';

interface Props {
  /** The account to edit; null while the dialog is closed. */
  user: User | null;
  onClose: () => void;
}

export function EmailDialog({ user, onClose }: Props) {
  return (
    <Dialog open={user !== null} onClose={onClose} title={user ? `Email of ${user.displayName}` : 'Email'}>
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
        ? `Changed the email of ${user.displayName} to ${email.trim()}`
        : `Removed the email of ${user.displayName}`,
    );
  });
  return (
    <Form form={form}>
      <p>
        Anyone who signs in through an identity provider with this verified email gets access to this account.
        Without an email, they get a new account. Make sure that the email belongs to this user.
      </p>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="off"
        autoFocus
        hint="Leave empty to remove the email."
        defaultValue={user.email ?? ''}
      />
      <FormError text={form.problem()} />
      <SubmitButton form={form}>Save email</SubmitButton>
    </Form>
  );
}
