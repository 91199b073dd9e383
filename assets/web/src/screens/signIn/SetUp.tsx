/** The first account, by the one-time link that the server printed. */
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
      <SignInLayout title="Set up already">
        <p>This instance has its first account. The set-up link has done its work.</p>
        <Link href="/">Go to the sign-in</Link>
      </SignInLayout>
    );
  }
  if (!secret) {
    return (
      <SignInLayout title="This link is not complete">
        <p>
          The part behind the # is missing. Copy the whole set-up link that the server printed when it
          started; it prints a new one at each start.
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
    <SignInLayout title="First set-up">
      <p>You make the first account. It administers this instance and its first organization.</p>
      <Form form={form}>
        <AccountFields form={form} />
        <TextField
          label="Organization"
          name="organization"
          autoComplete="organization"
          hint="The team or company whose systems are drawn here"
          problem={form.problem('organization')}
        />
        <FormError text={form.problem()} />
        <SubmitButton form={form}>Set up</SubmitButton>
      </Form>
    </SignInLayout>
  );
}
