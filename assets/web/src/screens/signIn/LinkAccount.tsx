/**
 * Links an existing account that has a password to an identity provider that has verified its email address. Before
 * linking, the owner decides whether to keep the account's existing access.
 */

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError } from '@/api/errors';
import { getPendingLink, type PendingLink, resolvePendingLink } from '@/api/generated';
import { setSignedIn } from '@/api/session';
import { accessList, signInPath } from '@/core/account/provider';
import { MAX_CODE_CHARS } from '@/core/limits';
import { useSignInConfig } from '@/data/queries';
import { TextField } from '@/ui/Field';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { Loading } from '@/ui/Loading';
import { RadioGroup } from '@/ui/RadioGroup';
import { ServerUnavailable } from '@/ui/ServerUnavailable';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { SignInLayout } from './SignInLayout';

export function LinkAccount() {
  const [isExpired, setIsExpired] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['pending-link'],
    queryFn: () => getPendingLink({ anonymous: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (error instanceof ApiError && error.isTemporary)
    return <ServerUnavailable error={error} onRetry={() => void refetch()} />;
  if (error || isExpired) return <Expired />;
  if (!data) return <Loading what="your account" />;
  return <Decision pending={data} onExpired={() => setIsExpired(true)} />;
}

function Decision({ pending, onExpired }: { pending: PendingLink; onExpired: () => void }) {
  const [access, setAccess] = useState<'keep' | 'end'>('keep');
  const [, navigate] = useLocation();
  const provider = useSignInConfig().data?.providerName ?? 'your identity provider';
  const keeps = access === 'keep';
  const list = accessList(pending.ends);
  const form = useForm(['password', 'code'], async ({ password, code }) => {
    const proof = keeps ? { password, ...(pending.needsCode ? { code: code.trim() } : {}) } : {};
    try {
      const answer = await resolvePendingLink({ id: pending.id, access, ...proof }, { anonymous: true });
      setSignedIn(answer);
      if (keeps) showToast(`Your account is now linked to ${provider}. Your existing access still works.`);
      navigate(signInPath(location.search, answer.ended), { replace: true });
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 404) throw failure;
      onExpired();
    }
  });
  return (
    <SignInLayout title="Link your account">
      <p style={{ overflowWrap: 'anywhere' }}>
        {provider} confirmed your email address, {pending.email}. It belongs to the existing account{' '}
        <strong>
          {pending.displayName} ({pending.login})
        </strong>
        . Choose what happens to the access that this account has now: {list}.
      </p>
      <Form form={form}>
        <RadioGroup
          label="Existing access"
          options={[
            {
              id: 'keep',
              name: 'Keep existing access',
              hint: 'Enter the password of this account. Nothing is removed.',
            },
            {
              id: 'end',
              name: 'Continue without the password',
              hint: 'Existing access is removed, in case another person has used this account.',
            },
          ]}
          value={access}
          onChange={setAccess}
        />
        {keeps ? (
          <Proof pending={pending} problem={form.problem} />
        ) : (
          <FormNote tone="warn">
            <p>
              These are removed from the account: {list}. You cannot undo this. Your workspaces and
              memberships stay.
            </p>
          </FormNote>
        )}
        <FormError text={form.problem()} />
        <SubmitButton form={form} kind={keeps ? 'main' : 'danger'}>
          {keeps ? 'Link account' : 'Remove access and link account'}
        </SubmitButton>
      </Form>
      <Link href={signInPath(location.search)}>Cancel</Link>
    </SignInLayout>
  );
}

function Proof({
  pending,
  problem,
}: {
  pending: PendingLink;
  problem: (field: string) => string | undefined;
}) {
  return (
    <>
      <input type="text" autoComplete="username" value={pending.login} readOnly hidden />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus
        problem={problem('password')}
      />
      {pending.needsCode && (
        <TextField
          label="Two-factor authentication code"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_CODE_CHARS}
          hint="From your authenticator app, or a recovery code"
          problem={problem('code')}
        />
      )}
    </>
  );
}

function Expired() {
  return (
    <SignInLayout title="Sign-in expired">
      <p>
        This sign-in was completed already, took longer than ten minutes, or began in another browser. Sign in
        again.
      </p>
      <Link href={signInPath(location.search)}>Go to sign-in</Link>
    </SignInLayout>
  );
}
