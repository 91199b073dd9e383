/** The second step of sign-in: a code. */
import { type Challenge, verifySignIn } from '@/api/generated';
import { setSignedIn } from '@/api/session';
import { Button } from '@/ui/Button';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { useForm } from '@/ui/useForm';
import { CodeField, OtherMethods, useMethod } from './CodeFields';
import { SignInLayout } from './SignInLayout';

export function TwoFactorStep({ challenge, onBack }: { challenge: Challenge; onBack: () => void }) {
  const paths = useMethod(challenge);
  const { method } = paths;
  const form = useForm(['code'], async ({ code }) => {
    setSignedIn(await verifySignIn({ challengeId: challenge.id, method, code: code.trim() }));
  });
  return (
    <SignInLayout title="Two-factor authentication">
      <Form form={form}>
        <CodeField method={method} />
        <FormError text={form.problem()} />
        <SubmitButton form={form}>Sign in</SubmitButton>
        <OtherMethods {...paths} />
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
      </Form>
    </SignInLayout>
  );
}
