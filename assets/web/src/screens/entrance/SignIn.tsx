/** Signing in: a password, and a second factor where the account has one. */
import { useState } from 'react';
import { type Challenge, logIn } from '@/api/generated';
import { signedIn } from '@/api/session';
import { useSignInConfig } from '@/app/queries';
import { TextField } from '@/ui/Field';
import { Form, Problem, Remark, Submit } from '@/ui/Form';
import { useForm } from '@/ui/useForm';
import { Entrance } from './Entrance';
import { SecondFactor } from './SecondFactor';
import { LATE, useChallenge } from './useChallenge';
import { Waitlist } from './Waitlist';

export function SignIn() {
  const [login, setLogin] = useState('');
  const { challenge, wasLate, begin, leave } = useChallenge();
  if (challenge) return <SecondFactor challenge={challenge} onBack={leave} />;
  const challenged = (given: Challenge, as: string) => {
    setLogin(as);
    begin(given);
  };
  return <PasswordForm login={login} wasLate={wasLate} onChallenge={challenged} />;
}

interface Props {
  login: string;
  wasLate: boolean;
  onChallenge: (challenge: Challenge, login: string) => void;
}

/** Name and password. Whoever is signed in is led on by the page itself. */
function PasswordForm({ login, wasLate, onChallenge }: Props) {
  const { data } = useSignInConfig();
  const form = useForm(['login', 'password'], async (fields) => {
    const answer = await logIn(fields);
    if ('challenge' in answer) onChallenge(answer.challenge, fields.login);
    else signedIn(answer);
  });
  return (
    <Entrance title="Sign in">
      {data?.hasUsers === false && (
        <Remark>
          <p>Nobody has an account yet. Open the set-up link that the server printed when it started.</p>
        </Remark>
      )}
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
          autoFocus={!login}
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
      {data?.hasUsers && data.waitlistOpen && <Waitlist />}
    </Entrance>
  );
}
