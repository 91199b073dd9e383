/** Edits the email of an account, which links it to users of an identity provider. */
import { type User, updateUser } from '@/api/generated';
import { accountKeys, stale } from '@/app/accountQueries';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Form, Problem, Submit } from '@/ui/Form';
import { say } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';

interface Props {
  /** The account to edit; null while the dialog is closed. */
  user: User | null;
  onClose: () => void;
}

export function AddressDialog({ user, onClose }: Props) {
  return (
    <Dialog open={user !== null} onClose={onClose} title={user ? `Email of ${user.displayName}` : 'Email'}>
      {user && <Fields user={user} onClose={onClose} />}
    </Dialog>
  );
}

function Fields({ user, onClose }: { user: User; onClose: () => void }) {
  const form = useForm(['email'], async ({ email }) => {
    await updateUser(user.id, { email });
    await stale(accountKeys.users);
    onClose();
    say(
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
        problem={form.problem('email')}
      />
      <Problem text={form.problem()} />
      <Submit form={form}>Save email</Submit>
    </Form>
  );
}
