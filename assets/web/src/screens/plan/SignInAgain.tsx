/** The sign-in dialog for an expired session, over the page, which keeps its state. */
import { type ReactNode, useEffect, useState } from 'react';
import { type Challenge, logIn, verifyLogIn } from '@/api/generated';
import { renew, signedOut, useSession } from '@/api/session';
import { useSignInConfig } from '@/app/queries';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { useForm } from '@/ui/useForm';
import { CodeField, OtherWays, useMethod } from '../entrance/CodeFields';
import { LATE, useChallenge } from '../entrance/useChallenge';
import { onSignedIn, openSignIn } from '../entrance/window';
import styles from './plan.module.css';

/** Works while all other requests wait. */
const ANONYMOUS = { anonymous: true };

export function SignInAgain() {
  const isEnded = useSession((state) => state.status === 'ended');
  return isEnded ? <Ended /> : null;
}

function Ended() {
  const { challenge, wasLate, begin, leave } = useChallenge();
  const user = useSession((state) => state.user);
  const { data, isPending } = useSignInConfig();
  const [wantsPassword, setWantsPassword] = useState(false);
  const provider = data?.providerName;
  const takesPasswords = data ? data.methods.includes('password') : !isPending;
  return (
    <Dialog open onClose={() => {}} title="Session expired" required>
      <p>Your work on this page is not lost. Sign in again to save your changes.</p>
      {challenge ? (
        <Code challenge={challenge} onBack={leave} />
      ) : (
        <>
          {wasLate && <p role="status">{LATE}</p>}
          {provider && !wantsPassword && <Elsewhere name={provider} />}
          {provider && takesPasswords && !wantsPassword && (
            <Button kind="quiet" onClick={() => setWantsPassword(true)}>
              Use a password instead
            </Button>
          )}
          {takesPasswords && (!provider || wantsPassword) && (
            <Password login={user?.login ?? ''} onChallenge={begin} />
          )}
        </>
      )}
    </Dialog>
  );
}

/** The cookie is set: get a token for the same organization as before. */
function back(): Promise<void> {
  return renew(useSession.getState().session?.orgId ?? null);
}

/** Sign-in at the identity provider in a separate window, so that this page keeps its state. */
function Elsewhere({ name }: { name: string }) {
  const [problem, setProblem] = useState('');
  useEffect(() => onSignedIn(() => void back().catch((error) => setProblem(String(error.message)))), []);
  const open = () =>
    setProblem(
      openSignIn()
        ? ''
        : 'The browser blocked the sign-in window. Allow pop-ups for this page, then try again.',
    );
  return (
    <div className={styles.form}>
      <Ways problem={problem}>
        <Button kind="main" onClick={open}>
          Sign in with {name}
        </Button>
      </Ways>
    </div>
  );
}

function Password({ login, onChallenge }: { login: string; onChallenge: (challenge: Challenge) => void }) {
  const form = useForm(['password'], async ({ password }) => {
    const answer = await logIn({ login, password }, ANONYMOUS);
    if ('challenge' in answer) onChallenge(answer.challenge);
    else await back();
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      <input type="text" name="login" value={login} autoComplete="username" readOnly hidden />
      <TextField
        label={`Password for ${login}`}
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus
        problem={form.problem('password')}
      />
      <Ways problem={form.problem()}>
        <Button kind="main" type="submit" busy={form.busy}>
          Sign in again
        </Button>
      </Ways>
    </form>
  );
}

function Code({ challenge, onBack }: { challenge: Challenge; onBack: () => void }) {
  const ways = useMethod(challenge);
  const { method } = ways;
  const form = useForm(['code'], async ({ code }) => {
    await verifyLogIn({ challengeId: challenge.id, method, code: code.trim() }, ANONYMOUS);
    await back();
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      <CodeField method={method} problem={form.problem('code')} />
      <OtherWays {...ways} />
      <Button kind="quiet" onClick={onBack}>
        Back to password
      </Button>
      <Ways problem={form.problem()}>
        <Button kind="main" type="submit" busy={form.busy}>
          Sign in again
        </Button>
      </Ways>
    </form>
  );
}

/** The error, if any, and the buttons; `children` is the main action. */
function Ways({ problem, children }: { problem: string | undefined; children: ReactNode }) {
  return (
    <>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        <Button kind="quiet" onClick={signedOut}>
          Sign out
        </Button>
        {children}
      </div>
    </>
  );
}
