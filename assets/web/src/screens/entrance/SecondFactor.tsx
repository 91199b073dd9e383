/** The second step of signing in: a code of the authenticator app, or one of those kept for when it is not at hand. */
import { useState } from 'react';
import { type Challenge, type Method, verifyLogIn } from '@/api/generated';
import { signedIn } from '@/api/session';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Form, Problem, Submit } from '@/ui/Form';
import { useForm } from '@/ui/useForm';
import { Entrance } from './Entrance';

const SWITCH: Record<Method, string> = {
  totp: 'Use the authenticator app',
  'recovery-code': 'Use a recovery code',
};

export function SecondFactor({ challenge, onBack }: { challenge: Challenge; onBack: () => void }) {
  const [method, setMethod] = useState(challenge.methods[0] ?? 'totp');
  const isRecovery = method === 'recovery-code';
  const form = useForm(['code'], async ({ code }) => {
    signedIn(await verifyLogIn({ challengeId: challenge.id, method, code: code.trim() }));
  });
  return (
    <Entrance title="One more step">
      <Form form={form}>
        <TextField
          key={method}
          label={isRecovery ? 'Recovery code' : 'Code of your authenticator app'}
          name="code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          maxLength={100}
          hint={
            isRecovery
              ? 'One of those that you kept. Each works once.'
              : 'Six digits; a new code every half minute.'
          }
          problem={form.problem('code')}
        />
        <Problem text={form.problem()} />
        <Submit form={form}>Sign in</Submit>
        {challenge.methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} kind="quiet" onClick={() => setMethod(other)}>
              {SWITCH[other]}
            </Button>
          ))}
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
      </Form>
    </Entrance>
  );
}
