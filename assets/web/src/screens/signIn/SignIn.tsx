/** Sign-in with a password and optional two-factor authentication, or with an identity provider. */
import { useState } from 'react';
import { Link } from 'wouter';
import { type Challenge, signIn } from '@/api/generated';
import { setSignedIn } from '@/api/session';
import { useSignInConfig } from '@/data/queries';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { Loading } from '@/ui/Loading';
import { useForm } from '@/ui/useForm';
import { ProviderProblem, ProviderSignIn } from './ProviderSignIn';
import { SignInLayout } from './SignInLayout';
import styles from './SignInLayout.module.css';
import { TwoFactorStep } from './TwoFactorStep';
import { CHALLENGE_EXPIRED, useChallenge } from './useChallenge';
import { WaitlistForm } from './WaitlistForm';

export function SignIn() {
  const [login, setLogin] = useState('');
  const { challenge, wasLate, begin, leave } = useChallenge();
  if (challenge) return <TwoFactorStep challenge={challenge} onBack={leave} />;
  const onChallenge = (newChallenge: Challenge, as: string) => {
    setLogin(as);
    begin(newChallenge);
  };
  return <SignInMethods login={login} wasLate={wasLate} onChallenge={onChallenge} />;
}

interface Props {
  login: string;
  wasLate: boolean;
  onChallenge: (challenge: Challenge, login: string) => void;
}

/** The available sign-in methods. Signed-in users are redirected by the page. */
function SignInMethods(props: Props) {
  const { data, isPending } = useSignInConfig();
  const [requestsAccount, setRequestsAccount] = useState(false);
  if (isPending) return <Loading what="sign-in options" />;
  const provider = data?.providerName;
  const takesPasswords = !data || data.methods.includes('password');
  return (
    <SignInLayout title="Sign in">
      {data?.hasUsers === false && (
        <FormNote>
          <p>
            This instance has no accounts yet. Open the setup link that the server printed at startup
            {provider ? `, or sign in with ${provider}.` : '.'}
          </p>
        </FormNote>
      )}
      <ProviderProblem />
      {provider && <ProviderSignIn name={provider} kind={takesPasswords ? 'plain' : 'main'} />}
      {provider && takesPasswords && <p className={styles.or}>or use a password</p>}
      {takesPasswords || requestsAccount ? (
        <PasswordForm {...props} isAlone={!provider} />
      ) : (
        <Button kind="quiet" onClick={() => setRequestsAccount(true)}>
          Use a password instead
        </Button>
      )}
      {data?.passwordReset && (takesPasswords || requestsAccount) && (
        <Link href="/forgot-password" className={styles.forgotten}>
          Forgot password?
        </Link>
      )}
      {data?.hasUsers && data.waitlistOpen && <WaitlistForm />}
    </SignInLayout>
  );
}

/** Login and password. */
function PasswordForm({ login, wasLate, onChallenge, isAlone }: Props & { isAlone: boolean }) {
  const form = useForm(['login', 'password'], async (fields) => {
    const answer = await signIn(fields);
    if ('challenge' in answer) onChallenge(answer.challenge, fields.login);
    else setSignedIn(answer);
  });
  return (
    <>
      {wasLate && (
        <FormNote tone="warn">
          <p role="status">{CHALLENGE_EXPIRED}</p>
        </FormNote>
      )}
      <Form form={form}>
        <TextField
          label="Login"
          name="login"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus={!login && isAlone}
          defaultValue={login}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus={Boolean(login)}
        />
        <FormError text={form.problem()} />
        <SubmitButton form={form}>Sign in</SubmitButton>
      </Form>
    </>
  );
}
