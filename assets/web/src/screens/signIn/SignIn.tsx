/** Signing in: a password, and a second factor where the account has one; or at an identity provider. */
import { useState } from 'react';
import { type Challenge, logIn } from '@/api/generated';
import { signedIn } from '@/api/session';
import { useSignInConfig } from '@/data/queries';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Form, Problem, Remark, Submit } from '@/ui/Form';
import { Waiting } from '@/ui/Loading';
import { useForm } from '@/ui/useForm';
import { ProviderProblem, WithProvider } from './ProviderSignIn';
import { Entrance } from './SignInLayout';
import styles from './SignInLayout.module.css';
import { SecondFactor } from './TwoFactorStep';
import { LATE, useChallenge } from './useChallenge';
import { Waitlist } from './WaitlistForm';

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

/** The ways in that there are. Whoever is signed in is led on by the page itself. */
function Ways(props: Props) {
  const { data, isPending } = useSignInConfig();
  const [asked, setAsked] = useState(false);
  if (isPending) return <Waiting what="the ways to sign in" />;
  const provider = data?.providerName;
  const takesPasswords = !data || data.methods.includes('password');
  return (
    <Entrance title="Sign in">
      {data?.hasUsers === false && (
        <Remark>
          <p>
            Nobody has an account yet. Open the set-up link that the server printed when it started
            {provider ? `, or sign in with ${provider}.` : '.'}
          </p>
        </Remark>
      )}
      <ProviderProblem />
      {provider && <WithProvider name={provider} kind={takesPasswords ? 'plain' : 'main'} />}
      {provider && takesPasswords && <p className={styles.or}>or with a password</p>}
      {takesPasswords || asked ? (
        <PasswordForm {...props} isAlone={!provider} />
      ) : (
        <Button kind="quiet" onClick={() => setAsked(true)}>
          The operator has given me a password
        </Button>
      )}
      {data?.hasUsers && data.waitlistOpen && <Waitlist />}
    </Entrance>
  );
}

/** Name and password. */
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
