/** The sign-in dialog for an expired session, shown over the page, which keeps its state. */
import { type ReactNode, useEffect, useState } from 'react';
import { type Challenge, signIn, verifySignIn } from '@/api/generated';
import { renewSession, setSignedOut, useSession } from '@/api/session';
import { useSignInConfig } from '@/data/queries';
import styles from '@/screens/workspace/workspace.module.css';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Form } from '@/ui/Form';
import { useForm } from '@/ui/useForm';
import { CodeField, OtherMethods, useMethod } from './CodeFields';
import { onSignedIn, openSignInWindow } from './signInWindow';
import { CHALLENGE_EXPIRED, useChallenge } from './useChallenge';

/** Allows these requests while all others wait. */
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
    <Dialog open onClose={() => {}} title="Session expired" required>
      <p>Your work on this page is not lost. Sign in again to save your changes.</p>
      {challenge ? (
        <CodeStep challenge={challenge} onBack={leave} />
      ) : (
        <>
          {wasLate && <p role="status">{CHALLENGE_EXPIRED}</p>}
          {provider && !wantsPassword && <ProviderWindow name={provider} />}
          {provider && takesPasswords && !wantsPassword && (
            <Button kind="quiet" onClick={() => setWantsPassword(true)}>
              Use a password instead
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

/** The cookie is set, so get a token for the same organization as before. */
function resumeSession(): Promise<void> {
  return renewSession(useSession.getState().session?.orgId ?? null);
}

/** Signs in with the identity provider in a separate window, so that this page keeps its state. */
function ProviderWindow({ name }: { name: string }) {
  const [problem, setProblem] = useState('');
  useEffect(
    () => onSignedIn(() => void resumeSession().catch((error) => setProblem(String(error.message)))),
    [],
  );
  const open = () =>
    setProblem(
      openSignInWindow()
        ? ''
        : 'The browser blocked the sign-in window. Allow pop-ups for this page, then try again.',
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
    const answer = await signIn({ login, password }, ANONYMOUS);
    if ('challenge' in answer) onChallenge(answer.challenge);
    else await resumeSession();
  });
  return (
    <Form form={form}>
      <input type="text" name="login" value={login} autoComplete="username" readOnly hidden />
      <TextField
        label={`Password for ${login}`}
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus
      />
      <SignInAgainForm problem={form.problem()}>
        <Button kind="main" type="submit" busy={form.busy}>
          Sign in again
        </Button>
      </SignInAgainForm>
    </Form>
  );
}

function CodeStep({ challenge, onBack }: { challenge: Challenge; onBack: () => void }) {
  const paths = useMethod(challenge);
  const { method } = paths;
  const form = useForm(['code'], async ({ code }) => {
    await verifySignIn({ challengeId: challenge.id, method, code: code.trim() }, ANONYMOUS);
    await resumeSession();
  });
  return (
    <Form form={form}>
      <CodeField method={method} />
      <OtherMethods {...paths} />
      <Button kind="quiet" onClick={onBack}>
        Back to password
      </Button>
      <SignInAgainForm problem={form.problem()}>
        <Button kind="main" type="submit" busy={form.busy}>
          Sign in again
        </Button>
      </SignInAgainForm>
    </Form>
  );
}

/** The error, if any, and the buttons. `children` is the primary action. */
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
          Sign out
        </Button>
        {children}
      </div>
    </>
  );
}
