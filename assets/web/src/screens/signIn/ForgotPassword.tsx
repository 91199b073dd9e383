/** Requests a link to set a new password, at the confirmed email address of the account. */
import { useState } from 'react';
import { Link } from 'wouter';
import { requestPasswordReset } from '@/api/generated';
import { useSignInConfig } from '@/data/queries';
import { TextField } from '@/ui/Field';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { Loading } from '@/ui/Loading';
import { useForm } from '@/ui/useForm';
import { SignInLayout } from './SignInLayout';

export function ForgotPassword() {
  const { data, isPending } = useSignInConfig();
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (isPending) return <Loading what="sign-in options" />;
  return (
    <SignInLayout title="Reset your password">
      {data && !data.passwordReset && (
        <p>This server sends no links for forgotten passwords. Ask an administrator for a new password.</p>
      )}
      {data?.passwordReset &&
        (sentTo === null ? (
          <RequestForm onSent={setSentTo} />
        ) : (
          <>
            <FormNote tone="good">
              <p role="status" style={{ overflowWrap: 'anywhere' }}>
                If {sentTo} is the confirmed address of an account with a password, a link is on its way. It
                is valid for one hour.
              </p>
            </FormNote>
            <p>No email? Check the spam folder, or ask an administrator.</p>
          </>
        ))}
      <Link href="/sign-in">Back to sign-in</Link>
    </SignInLayout>
  );
}

function RequestForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useForm(['email'], async ({ email }) => {
    await requestPasswordReset({ email: email.trim() }, { anonymous: true });
    onSent(email.trim());
  });
  return (
    <Form form={form}>
      <p>Enter the confirmed email address of your account to get a link to choose a new password.</p>
      <TextField label="Email" name="email" type="email" autoComplete="email" required autoFocus />
      <FormError text={form.problem()} />
      <SubmitButton form={form}>Send link</SubmitButton>
    </Form>
  );
}
