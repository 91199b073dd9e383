/** The second step of sign-in: a code. */
import { type Challenge, verifyLogIn } from '@/api/generated';
import { signedIn } from '@/api/session';
import { Button } from '@/ui/Button';
import { Form, Problem, Submit } from '@/ui/Form';
import { useForm } from '@/ui/useForm';
import { CodeField, OtherWays, useMethod } from './CodeFields';
import { Entrance } from './Entrance';

export function SecondFactor({ challenge, onBack }: { challenge: Challenge; onBack: () => void }) {
  const ways = useMethod(challenge);
  const { method } = ways;
  const form = useForm(['code'], async ({ code }) => {
    signedIn(await verifyLogIn({ challengeId: challenge.id, method, code: code.trim() }));
  });
  return (
    <Entrance title="Two-factor authentication">
      <Form form={form}>
        <CodeField method={method} problem={form.problem('code')} />
        <Problem text={form.problem()} />
        <Submit form={form}>Sign in</Submit>
        <OtherWays {...ways} />
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
      </Form>
    </Entrance>
  );
}
