/** Accepts an invitation with a new account or an existing one. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError } from '@/api/errors';
import { acceptInvitation, readInvitation, type SignedIn } from '@/api/generated';
import { signedIn, useSession } from '@/api/session';
import { Away } from '@/app/Away';
import { signOut } from '@/app/leaving';
import { keys, queryClient, useSignInConfig } from '@/app/queries';
import { fromNow } from '@/core/time/moment';
import { Button } from '@/ui/Button';
import { Form, Problem, Submit } from '@/ui/Form';
import { complain } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { Waiting } from '@/ui/Waiting';
import { AccountFields } from './AccountFields';
import { Entrance } from './Entrance';
import styles from './Entrance.module.css';
import { SignIn } from './SignIn';
import { useSecret } from './useSecret';
import { WithProvider } from './WithProvider';

export function Join() {
  const secret = useSecret();
  const isIn = useSession((state) => state.status === 'in');
  const [hasAccount, setHasAccount] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => readInvitation(secret),
    enabled: secret !== '',
    retry: false,
  });
  if (error instanceof ApiError && error.isPassing)
    return <Away error={error} onRetry={() => void refetch()} />;
  if (error || !secret) {
    return (
      <Entrance title="Invalid invitation">
        <p>
          {secret
            ? 'The invitation was used or revoked, or it has expired. Ask for a new one.'
            : 'The part of the URL after the # is missing. Copy the whole link.'}
        </p>
        <Link href="/">Go to sign-in</Link>
      </Entrance>
    );
  }
  if (!data) return <Waiting what="the invitation" />;
  if (hasAccount && !isIn) return <SignIn />;
  const role = data.role === 'org:admin' ? 'an administrator' : 'a member';
  return (
    <Entrance title={`Join ${data.organization}`}>
      <p style={{ overflowWrap: 'anywhere' }}>
        You are invited as {role}
        {data.email && ` (${data.email})`}. The invitation expires {fromNow(data.expiresAt)}.
      </p>
      {isIn ? (
        <AsMyself secret={secret} />
      ) : (
        <AsNew secret={secret} onHasAccount={() => setHasAccount(true)} />
      )}
    </Entrance>
  );
}

function useAccepted() {
  const [, navigate] = useLocation();
  return async (answer: SignedIn) => {
    signedIn(answer);
    await queryClient.invalidateQueries({ queryKey: keys.organizations });
    navigate('/', { replace: true });
  };
}

function AsMyself({ secret }: { secret: string }) {
  const user = useSession((state) => state.user);
  const accepted = useAccepted();
  const form = useForm([], async () => accepted(await acceptInvitation(secret, {})));
  return (
    <Form form={form}>
      <Problem text={form.problem()} />
      <Submit form={form}>Join as {user?.displayName}</Submit>
      <Button kind="quiet" onClick={() => void signOut().catch(complain)}>
        Not you? Sign out
      </Button>
    </Form>
  );
}

function AsNew({ secret, onHasAccount }: { secret: string; onHasAccount: () => void }) {
  const { data } = useSignInConfig();
  const provider = data?.providerName;
  const takesPasswords = !data || data.methods.includes('password');
  return (
    <>
      {provider && <WithProvider name={provider} kind={takesPasswords ? 'plain' : 'main'} />}
      {provider && takesPasswords && <p className={styles.or}>or use a password</p>}
      {takesPasswords && <NewAccount secret={secret} onHasAccount={onHasAccount} />}
    </>
  );
}

function NewAccount({ secret, onHasAccount }: { secret: string; onHasAccount: () => void }) {
  const accepted = useAccepted();
  const form = useForm(['login', 'displayName', 'password'], async (fields) =>
    accepted(await acceptInvitation(secret, fields)),
  );
  return (
    <Form form={form}>
      <AccountFields form={form} />
      <Problem text={form.problem()} />
      <Submit form={form}>Join</Submit>
      <Button kind="quiet" onClick={onHasAccount}>
        I already have an account
      </Button>
    </Form>
  );
}
