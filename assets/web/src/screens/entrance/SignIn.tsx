/** Sign-in with a password and an optional second factor, or through an identity provider. */
import { useState } from 'react';
import { type Challenge, logIn } from '@/api/generated';
import { signedIn } from '@/api/session';
import { useSignInConfig } from '@/app/queries';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Form, Problem, Remark, Submit } from '@/ui/Form';
import { useForm } from '@/ui/useForm';
import { Waiting } from '@/ui/Waiting';
import { Entrance } from './Entrance';
import styles from './Entrance.module.css';
import { SecondFactor } from './SecondFactor';
import { LATE, useChallenge } from './useChallenge';
import { Waitlist } from './Waitlist';
import { ProviderProblem, WithProvider } from './WithProvider';

export function SignIn() {
  const [login, setLogin] = useState('');
  const { challenge, wasLate, begin, leave } = useChallenge();
  if (challenge) return <SecondFactor challenge={challenge} onBack={leave} />;
  const challenged = (given: Challenge, as: string) => {
    setLogin(as);
    begin(given);
  };
  return <Ways login={login} wasLate={wasLate} onChallenge={challenged} />;
}

interface Props {
  login: string;
  wasLate: boolean;
  onChallenge: (challenge: Challenge, login: string) => void;
}

/** The available sign-in methods. Signed-in users are redirected by the page. */
function Ways(props: Props) {
  const { data, isPending } = useSignInConfig();
  const [asked, setAsked] = useState(false);
  if (isPending) return <Waiting what="sign-in options" />;
  const provider = data?.providerName;
  const takesPasswords = !data || data.methods.includes('password');
  return (
    <Entrance title="Sign in">
      {data?.hasUsers === false && (
        <Remark>
          <p>
            This instance has no accounts yet. Open the setup link that the server printed at startup
            {provider ? `, or sign in with ${provider}.` : '.'}
          </p>
        </Remark>
      )}
      <ProviderProblem />
      {provider && <WithProvider name={provider} kind={takesPasswords ? 'plain' : 'main'} />}
      {provider && takesPasswords && <p className={styles.or}>or use a password</p>}
      {takesPasswords || asked ? (
        <PasswordForm {...props} isAlone={!provider} />
      ) : (
        <Button kind="quiet" onClick={() => setAsked(true)}>
          Use a password instead
        </Button>
      )}
      {data?.hasUsers && data.waitlistOpen && <Waitlist />}
    </Entrance>
  );
}

/** Login and password. */
function PasswordForm({ login, wasLate, onChallenge, isAlone }: Props & { isAlone: boolean }) {
  const form = useForm(['login', 'password'], async (fields) => {
    const answer = await logIn(fields);
    if ('challenge' in answer) onChallenge(answer.challenge, fields.login);
    else signedIn(answer);
  });
  return (
    <>
      {wasLate && (
        <Remark tone="warn">
          <p role="status">{LATE}</p>
        </Remark>
      )}
      <Form form={form}>
        <TextField
          label="Login"
          name="login"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={!login && isAlone}
          defaultValue={login}
          problem={form.problem('login')}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus={Boolean(login)}
          problem={form.problem('password')}
        />
        <Problem text={form.problem()} />
        <Submit form={form}>Sign in</Submit>
      </Form>
    </>
  );
}
