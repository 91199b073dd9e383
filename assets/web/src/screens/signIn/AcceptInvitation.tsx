/** Takes up an invitation: as somebody new, or with the account one has. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError } from '@/api/errors';
import { acceptInvitation, readInvitation, type SignedIn } from '@/api/generated';
import { signedIn, useSession } from '@/api/session';
import { signOut } from '@/api/signOut';
import { fromNow } from '@/core/time/format';
import { keys, queryClient, useSignInConfig } from '@/data/queries';
import { Button } from '@/ui/Button';
import { Form, Problem, Submit } from '@/ui/Form';
import { Waiting } from '@/ui/Loading';
import { Away } from '@/ui/ServerUnavailable';
import { complain } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { AccountFields } from './AccountFields';
import { WithProvider } from './ProviderSignIn';
import { SignIn } from './SignIn';
import { Entrance } from './SignInLayout';
import styles from './SignInLayout.module.css';
import { useSecret } from './useLinkSecret';

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
      <Entrance title="This invitation cannot be used">
        <p>
          {secret
            ? 'It was used or withdrawn, or is older than seven days. Ask for another one.'
            : 'The part behind the # is missing. Copy the whole link that you were given.'}
        </p>
        <Link href="/">Go to the sign-in</Link>
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
        {data.email && `, at ${data.email}`}. The invitation ends {fromNow(data.expiresAt)}.
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
        That is not me: sign out
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
      {provider && takesPasswords && <p className={styles.or}>or with a password</p>}
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
        I have an account already
      </Button>
    </Form>
  );
}
