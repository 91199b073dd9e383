/** The fields of a new account. */
import { TextField } from '@/ui/Field';
import { NewPasswordField } from '@/ui/NewPasswordField';
import type { FormState } from '@/ui/useForm';

export function AccountFields({ form }: { form: FormState }) {
  return (
    <>
      <TextField
        label="Login"
        name="login"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        problem={form.problem('login')}
      />
      <TextField
        label="Your name"
        name="displayName"
        autoComplete="name"
        required
        problem={form.problem('displayName')}
      />
      <NewPasswordField label="Password" name="password" required problem={form.problem('password')} />
    </>
  );
}
