/** Creates an account. */
import { createUser } from '@/api/generated';
import { accountQueryKeys, invalidate } from '@/data/accountQueries';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { NewPasswordField } from '@/ui/NewPasswordField';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';

export function NewUser({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="New user">
      <p>
        The account does not belong to an organization yet. To add someone to your organization, send an
        invitation instead, so that they choose their own login and password.
      </p>
      <Fields onClose={onClose} />
    </Dialog>
  );
}

function Fields({ onClose }: { onClose: () => void }) {
  const form = useForm(
    ['login', 'displayName', 'email', 'password'],
    async ({ login, displayName, email, password }) => {
      const { user } = await createUser({
        login,
        displayName,
        ...(email.trim() ? { email } : {}),
        ...(password ? { password } : {}),
      });
      await invalidate(accountQueryKeys.users);
      onClose();
      showToast(`Created user ${user.displayName}`);
    },
  );
  return (
    <Form form={form}>
      <TextField
        label="Login"
        name="login"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <TextField label="Name" name="displayName" autoComplete="off" />
      <TextField label="Email (optional)" name="email" type="email" autoComplete="off" />
      <NewPasswordField label="Initial password" name="password" />
      <p>Without a password, the user can’t sign in until the operator sets one.</p>
      <FormError text={form.problem()} />
      <SubmitButton form={form}>Create user</SubmitButton>
    </Form>
  );
}
