/** The first account, by the one-time link that the server printed. The secret stands behind the `#`, out of every log. */
import { useLocation } from 'wouter';
import { setUp } from '@/api/generated';
import { signedIn } from '@/api/session';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Entrance } from './Entrance';
import styles from './Entrance.module.css';
import { Problem } from './SignIn';
import { useForm } from './useForm';

export function SetUp() {
  const [, navigate] = useLocation();
  const form = useForm(['login', 'displayName', 'password', 'organization'], async (fields) => {
    signedIn(await setUp({ token: location.hash.slice(1), ...fields }));
    navigate('/', { replace: true });
  });
  return (
    <Entrance title="First set-up">
      <p>You make the first account. It administers this instance and its first organization.</p>
      <form className={styles.form} onSubmit={form.onSubmit} noValidate>
        <TextField
          label="Login"
          name="login"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          problem={form.problem('login')}
        />
        <TextField
          label="Your name"
          name="displayName"
          autoComplete="name"
          problem={form.problem('displayName')}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="8 to 128 characters"
          problem={form.problem('password')}
        />
        <TextField
          label="Organization"
          name="organization"
          autoComplete="organization"
          hint="The team or company whose systems are drawn here"
          problem={form.problem('organization')}
        />
        <Problem text={form.problem()} />
        <Button kind="main" type="submit" busy={form.busy}>
          Set up
        </Button>
      </form>
    </Entrance>
  );
}
