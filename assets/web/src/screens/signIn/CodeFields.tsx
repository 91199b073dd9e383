/** Asks for a code of the authenticator app, or for one of those that were kept for when it is not at hand. */
import { useState } from 'react';
import type { Challenge, Method } from '@/api/generated';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';

const SWITCH: Record<Method, string> = {
  totp: 'Use the authenticator app',
  'recovery-code': 'Use a recovery code',
};

/** The way that is chosen, the first until then. */
export function useMethod(challenge: Challenge) {
  const [method, choose] = useState<Method>(challenge.methods[0] ?? 'totp');
  return { method, choose, others: challenge.methods.filter((one) => one !== method) };
}

type OtherMethodsProps = ReturnType<typeof useMethod>;

export function CodeField({ method, problem }: { method: Method; problem: string | undefined }) {
  const isRecovery = method === 'recovery-code';
  return (
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
      problem={problem}
    />
  );
}

/** Buttons that lead to the other ways. */
export function OtherMethods({ others, choose }: OtherMethodsProps) {
  return others.map((other) => (
    <Button key={other} kind="quiet" onClick={() => choose(other)}>
      {SWITCH[other]}
    </Button>
  ));
}
