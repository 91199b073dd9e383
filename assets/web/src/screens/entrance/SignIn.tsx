/** Signing in: a password, and a second factor where the account has one. */
import { useState } from 'react';
import { type Challenge, logIn, verifyLogIn } from '@/api/generated';
import { signedIn } from '@/api/session';
import { useSignInConfig } from '@/app/queries';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Entrance } from './Entrance';
import styles from './Entrance.module.css';
import { useForm } from './useForm';

export function SignIn() {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  return challenge ? (
    <SecondFactor challenge={challenge} onBack={() => setChallenge(null)} />
  ) : (
    <PasswordForm onChallenge={setChallenge} />
  );
}

/** Name and password. Whoever is signed in is led on by the page itself. */
export function PasswordForm({ onChallenge }: { onChallenge: (challenge: Challenge) => void }) {
  const { data } = useSignInConfig();
  const form = useForm(['login', 'password'], async (fields) => {
    const answer = await logIn(fields);
    if ('challenge' in answer) onChallenge(answer.challenge);
    else signedIn(answer);
  });
  return (
    <Entrance title="Sign in">
      {data?.hasUsers === false && (
        <p>Nobody has an account yet. Open the set-up link that the server printed when it started.</p>
      )}
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
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          problem={form.problem('password')}
        />
        <Problem text={form.problem()} />
        <Button kind="main" type="submit" busy={form.busy}>
          Sign in
        </Button>
      </form>
    </Entrance>
  );
}

function SecondFactor({ challenge, onBack }: { challenge: Challenge; onBack: () => void }) {
  const [method, setMethod] = useState(challenge.methods[0] ?? 'totp');
  const isRecovery = method !== 'totp';
  const form = useForm(['code'], async ({ code }) => {
    signedIn(await verifyLogIn({ challengeId: challenge.id, method, code: code.trim() }));
  });
  return (
    <Entrance title="One more step">
      <form className={styles.form} onSubmit={form.onSubmit} noValidate>
        <TextField
          key={method}
          label={isRecovery ? 'Recovery code' : 'Code of your authenticator app'}
          name="code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoFocus
          problem={form.problem('code')}
        />
        <Problem text={form.problem()} />
        <Button kind="main" type="submit" busy={form.busy}>
          Sign in
        </Button>
        {challenge.methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} kind="quiet" onClick={() => setMethod(other)}>
              {other === 'totp' ? 'Use the authenticator app' : 'Use a recovery code'}
            </Button>
          ))}
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
      </form>
    </Entrance>
  );
}

export function Problem({ text }: { text: string | undefined }) {
  return text ? (
    <p role="alert" className={styles.problem}>
      {text}
    </p>
  ) : null;
}
