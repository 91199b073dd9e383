/** The fields of a new account. */
import { TextField } from '@/ui/Field';
import { NewPasswordField } from '@/ui/NewPasswordField';

export function AccountFields() {
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
      />
      <TextField label="Your name" name="displayName" autoComplete="name" required />
      <NewPasswordField label="Password" name="password" required />
    </>
  );
}
