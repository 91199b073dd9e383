/** An account for somebody. */
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
    <Dialog open={open} onClose={onClose} title="New account">
      <p>
        It belongs to no organization yet. To let somebody into yours, an invitation is quicker: they choose
        their login and password themselves.
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
      showToast(`${user.displayName} has an account.`);
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
        problem={form.problem('login')}
      />
      <TextField label="Name" name="displayName" autoComplete="off" problem={form.problem('displayName')} />
      <TextField
        label="E-mail address (optional)"
        name="email"
        type="email"
        autoComplete="off"
        problem={form.problem('email')}
      />
      <NewPasswordField label="Password to begin with" name="password" problem={form.problem('password')} />
      <p>Without a password nobody can sign in to it until the operator sets one.</p>
      <FormError text={form.problem()} />
      <SubmitButton form={form}>Make the account</SubmitButton>
    </Form>
  );
}
