/** A session has ended in the middle of something: the way back in, over the page that stays as it is. */
import { type ReactNode, useEffect, useState } from 'react';
import { type Challenge, logIn, verifyLogIn } from '@/api/generated';
import { renewSession, setSignedOut, useSession } from '@/api/session';
import { useSignInConfig } from '@/data/queries';
import styles from '@/screens/workspace/workspace.module.css';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { useForm } from '@/ui/useForm';
import { CodeField, OtherMethods, useMethod } from './CodeFields';
import { onSignedIn, openSignInWindow } from './signInWindow';
import { CHALLENGE_EXPIRED, useChallenge } from './useChallenge';

/** Goes while all other requests wait for it. */
const ANONYMOUS = { anonymous: true };

export function SignInAgain() {
  const isEnded = useSession((state) => state.status === 'ended');
  return isEnded ? <SessionEnded /> : null;
}

function SessionEnded() {
  const { challenge, wasLate, begin, leave } = useChallenge();
  const user = useSession((state) => state.user);
  const { data, isPending } = useSignInConfig();
  const [wantsPassword, setWantsPassword] = useState(false);
  const provider = data?.providerName;
  const takesPasswords = data ? data.methods.includes('password') : !isPending;
  return (
    <Dialog open onClose={() => {}} title="Your session has ended" required>
      <p>
        Everything on this page is still here{user ? `, ${user.displayName}` : ''}. Sign in again, and what
        you did is saved.
      </p>
      {challenge ? (
        <CodeStep challenge={challenge} onBack={leave} />
      ) : (
        <>
          {wasLate && <p role="status">{CHALLENGE_EXPIRED}</p>}
          {provider && !wantsPassword && <ProviderWindow name={provider} />}
          {provider && takesPasswords && !wantsPassword && (
            <Button kind="quiet" onClick={() => setWantsPassword(true)}>
              I have a password here
            </Button>
          )}
          {takesPasswords && (!provider || wantsPassword) && (
            <PasswordStep login={user?.login ?? ''} onChallenge={begin} />
          )}
        </>
      )}
    </Dialog>
  );
}

/** The cookie is there now: a token for the same organization as before. */
function resumeSession(): Promise<void> {
  return renewSession(useSession.getState().session?.orgId ?? null);
}

/** At the identity provider, in a window of its own: what is on this page stays. */
function ProviderWindow({ name }: { name: string }) {
  const [problem, setProblem] = useState('');
  useEffect(
    () => onSignedIn(() => void resumeSession().catch((error) => setProblem(String(error.message)))),
    [],
  );
  const open = () =>
    setProblem(
      openSignInWindow() ? '' : 'The browser did not open a window. Allow it for this page, and try again.',
    );
  return (
    <div className={styles.form}>
      <SignInAgainForm problem={problem}>
        <Button kind="main" onClick={open}>
          Sign in with {name}
        </Button>
      </SignInAgainForm>
    </div>
  );
}

function PasswordStep({
  login,
  onChallenge,
}: {
  login: string;
  onChallenge: (challenge: Challenge) => void;
}) {
  const form = useForm(['password'], async ({ password }) => {
    const answer = await logIn({ login, password }, ANONYMOUS);
    if ('challenge' in answer) onChallenge(answer.challenge);
    else await resumeSession();
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      <input type="text" name="login" value={login} autoComplete="username" readOnly hidden />
      <TextField
        label={`Password of ${login}`}
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus
        problem={form.problem('password')}
      />
      <SignInAgainForm problem={form.problem()}>
        <Button kind="main" type="submit" busy={form.busy}>
          Sign in again
        </Button>
      </SignInAgainForm>
    </form>
  );
}

function CodeStep({ challenge, onBack }: { challenge: Challenge; onBack: () => void }) {
  const paths = useMethod(challenge);
  const { method } = paths;
  const form = useForm(['code'], async ({ code }) => {
    await verifyLogIn({ challengeId: challenge.id, method, code: code.trim() }, ANONYMOUS);
    await resumeSession();
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      <CodeField method={method} problem={form.problem('code')} />
      <OtherMethods {...paths} />
      <Button kind="quiet" onClick={onBack}>
        Back to the password
      </Button>
      <SignInAgainForm problem={form.problem()}>
        <Button kind="main" type="submit" busy={form.busy}>
          Sign in again
        </Button>
      </SignInAgainForm>
    </form>
  );
}

/** What went wrong, if anything did, and the ways out of here: `children` is the way on. */
function SignInAgainForm({ problem, children }: { problem: string | undefined; children: ReactNode }) {
  return (
    <>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        <Button kind="quiet" onClick={setSignedOut}>
          Leave
        </Button>
        {children}
      </div>
    </>
  );
}
