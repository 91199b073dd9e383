/** Accepts an invitation with a new account or an existing one. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError } from '@/api/errors';
import { acceptInvitation, getInvitation, type SignedIn } from '@/api/generated';
import { setSignedIn, useSession } from '@/api/session';
import { signOut } from '@/api/signOut';
import { formatRelative } from '@/core/time/format';
import { queryClient, queryKeys, useSignInConfig } from '@/data/queries';
import { Button } from '@/ui/Button';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { Loading } from '@/ui/Loading';
import { ServerUnavailable } from '@/ui/ServerUnavailable';
import { showError } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { AccountFields } from './AccountFields';
import { ProviderSignIn } from './ProviderSignIn';
import { SignIn } from './SignIn';
import { SignInLayout } from './SignInLayout';
import styles from './SignInLayout.module.css';
import { useLinkSecret } from './useLinkSecret';

export function AcceptInvitation() {
  const secret = useLinkSecret();
  const isIn = useSession((state) => state.status === 'in');
  const [hasAccount, setHasAccount] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => getInvitation(secret),
    enabled: secret !== '',
    retry: false,
  });
  if (error instanceof ApiError && error.isTemporary)
    return <ServerUnavailable error={error} onRetry={() => void refetch()} />;
  if (error || !secret) {
    return (
      <SignInLayout title="Invalid invitation">
        <p>
          {secret
            ? 'The invitation was used or revoked, or it has expired. Ask for a new one.'
            : 'The part of the URL after the # is missing. Copy the whole link.'}
        </p>
        <Link href="/">Go to sign-in</Link>
      </SignInLayout>
    );
  }
  if (!data) return <Loading what="the invitation" />;
  if (hasAccount && !isIn) return <SignIn />;
  const role = data.role === 'org:admin' ? 'an administrator' : 'a member';
  return (
    <SignInLayout title={`Join ${data.organization}`}>
      <p style={{ overflowWrap: 'anywhere' }}>
        You are invited as {role}
        {data.email && ` (${data.email})`}. The invitation expires {formatRelative(data.expiresAt)}.
      </p>
      {isIn ? (
        <AcceptAsUser secret={secret} />
      ) : (
        <AcceptAsNewUser secret={secret} onHasAccount={() => setHasAccount(true)} />
      )}
    </SignInLayout>
  );
}

function useAccepted() {
  const [, navigate] = useLocation();
  return async (answer: SignedIn) => {
    // Navigate first: a session of another user clears the cache, which would reload the used invitation.
    navigate('/', { replace: true });
    setSignedIn(answer);
    await queryClient.invalidateQueries({ queryKey: queryKeys.organizations });
  };
}

function AcceptAsUser({ secret }: { secret: string }) {
  const user = useSession((state) => state.user);
  const accepted = useAccepted();
  const form = useForm([], async () => accepted(await acceptInvitation(secret, {})));
  return (
    <Form form={form}>
      <FormError text={form.problem()} />
      <SubmitButton form={form}>Join as {user?.displayName}</SubmitButton>
      <Button kind="quiet" onClick={() => void signOut().catch(showError)}>
        Not you? Sign out
      </Button>
    </Form>
  );
}

function AcceptAsNewUser({ secret, onHasAccount }: { secret: string; onHasAccount: () => void }) {
  const { data } = useSignInConfig();
  const provider = data?.providerName;
  const takesPasswords = !data || data.methods.includes('password');
  return (
    <>
      {provider && <ProviderSignIn name={provider} kind={takesPasswords ? 'plain' : 'main'} />}
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
      <AccountFields />
      <FormError text={form.problem()} />
      <SubmitButton form={form}>Join</SubmitButton>
      <Button kind="quiet" onClick={onHasAccount}>
        I already have an account
      </Button>
    </Form>
  );
}
