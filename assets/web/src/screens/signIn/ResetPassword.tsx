/** Sets a new password with a link from an email. */
import { useState } from 'react';
import { Link } from 'wouter';
import { getPasswordReset, type PasswordReset, resetPassword } from '@/api/generated';
import { setSignedOut, useSession } from '@/api/session';
import { formatRelative } from '@/core/time/format';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { NewPasswordField } from '@/ui/NewPasswordField';
import { useForm } from '@/ui/useForm';
import { EmailLinkPage } from './EmailLinkPage';
import { SignInLayout } from './SignInLayout';

const ANONYMOUS = { anonymous: true };

export function ResetPassword() {
  return (
    <EmailLinkPage
      what="the link"
      read={(secret) => getPasswordReset(secret, ANONYMOUS)}
      remedy={<Link href="/forgot-password">Request a new link</Link>}
    >
      {(reset, secret) => <NewPassword key={secret} reset={reset} secret={secret} />}
    </EmailLinkPage>
  );
}

function NewPassword({ reset, secret }: { reset: PasswordReset; secret: string }) {
  const [isDone, setDone] = useState(false);
  const form = useForm(['password'], async ({ password }) => {
    await resetPassword(secret, { password }, ANONYMOUS);
    setDone(true);
    // The session of this browser ended too, if it was one of the same account.
    if (useSession.getState().user?.login === reset.login) setSignedOut();
  });
  if (isDone) {
    return (
      <SignInLayout title="Password changed">
        <FormNote tone="good">
          <p role="status">
            The password of {reset.login} is changed, and all sessions of the account ended. Sign in with the
            new password.
          </p>
        </FormNote>
        <Link href="/sign-in">Go to sign-in</Link>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title="Choose a new password">
      <p style={{ overflowWrap: 'anywhere' }}>
        For the account {reset.login} ({reset.displayName}). The link expires{' '}
        {formatRelative(reset.expiresAt)}.
      </p>
      <Form form={form}>
        <input type="text" value={reset.login} autoComplete="username" readOnly hidden />
        <NewPasswordField
          label="New password"
          name="password"
          required
          known={[reset.login, reset.displayName]}
        />
        <FormError text={form.problem()} />
        <SubmitButton form={form}>Change password</SubmitButton>
      </Form>
    </SignInLayout>
  );
}
