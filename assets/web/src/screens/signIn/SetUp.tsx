/** Creates the first account with the one-time setup link printed by the server. */
import { Link, useLocation } from 'wouter';
import { setUp } from '@/api/generated';
import { setSignedIn } from '@/api/session';
import { queryClient, useSignInConfig } from '@/data/queries';
import { TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { useForm } from '@/ui/useForm';
import { AccountFields } from './AccountFields';
import { SignInLayout } from './SignInLayout';
import { useLinkSecret } from './useLinkSecret';

export function SetUp() {
  const secret = useLinkSecret();
  const { data } = useSignInConfig();
  if (data?.hasUsers) {
    return (
      <SignInLayout title="Already set up">
        <p>This instance already has an account, so the setup link no longer works.</p>
        <Link href="/">Go to sign-in</Link>
      </SignInLayout>
    );
  }
  if (!secret) {
    return (
      <SignInLayout title="This link is incomplete">
        <p>
          The part after the # is missing. Copy the whole setup link that the server printed at startup. The
          server prints a new link at each start.
        </p>
      </SignInLayout>
    );
  }
  return <FirstAccount secret={secret} />;
}

function FirstAccount({ secret }: { secret: string }) {
  const [, navigate] = useLocation();
  const form = useForm(['login', 'displayName', 'password', 'organization'], async (fields) => {
    setSignedIn(await setUp({ token: secret, ...fields }));
    navigate('/', { replace: true });
    void queryClient.invalidateQueries({ queryKey: ['sign-in-config'] });
  });
  return (
    <SignInLayout title="Create the first account">
      <p>Create your administrator account. You can add more people later.</p>
      <Form form={form}>
        <AccountFields />
        <TextField
          label="Organization"
          name="organization"
          autoComplete="organization"
          required
          hint="Your team or company"
        />
        <FormError text={form.problem()} />
        <SubmitButton form={form}>Create account</SubmitButton>
      </Form>
    </SignInLayout>
  );
}
