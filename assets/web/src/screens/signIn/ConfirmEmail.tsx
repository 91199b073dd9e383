/** Confirms an email address with a link that was sent to it. */
import { useState } from 'react';
import { Link } from 'wouter';
import { confirmEmail, type EmailConfirmation, getEmailConfirmation } from '@/api/generated';
import { useSession } from '@/api/session';
import { accountQueryKeys, invalidate } from '@/data/accountQueries';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { useForm } from '@/ui/useForm';
import { EmailLinkPage } from './EmailLinkPage';
import { SignInLayout } from './SignInLayout';

const ANONYMOUS = { anonymous: true };

export function ConfirmEmail() {
  return (
    <EmailLinkPage
      what="the email address"
      read={(secret) => getEmailConfirmation(secret, ANONYMOUS)}
      remedy="Send a new link in the profile of your account."
    >
      {(link, secret) => <Confirm key={secret} link={link} secret={secret} />}
    </EmailLinkPage>
  );
}

function Confirm({ link, secret }: { link: EmailConfirmation; secret: string }) {
  const isIn = useSession((state) => state.status === 'in');
  const [isDone, setDone] = useState(false);
  const form = useForm([], async () => {
    await confirmEmail(secret, {}, ANONYMOUS);
    setDone(true);
    if (isIn) await invalidate(accountQueryKeys.me);
  });
  return (
    <SignInLayout title={isDone ? 'Email address confirmed' : 'Confirm your email address'}>
      {isDone ? (
        <FormNote tone="good">
          <p role="status" style={{ overflowWrap: 'anywhere' }}>
            {link.email} is the confirmed address of the account {link.login}.
          </p>
        </FormNote>
      ) : (
        <>
          <p style={{ overflowWrap: 'anywhere' }}>
            The account <strong>{link.login}</strong> uses the address <strong>{link.email}</strong>. If this
            is not your account, close this page.
          </p>
          <Form form={form}>
            <FormError text={form.problem()} />
            <SubmitButton form={form}>Confirm email address</SubmitButton>
          </Form>
        </>
      )}
      {isDone && (
        <Link href={isIn ? '/account/profile' : '/sign-in'}>
          {isIn ? 'Go to your profile' : 'Go to sign-in'}
        </Link>
      )}
    </SignInLayout>
  );
}
