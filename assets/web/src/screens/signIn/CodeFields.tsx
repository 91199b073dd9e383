/** Prompts for a code from the authenticator app or a recovery code. */
import { useState } from 'react';
import type { Challenge, Method } from '@/api/generated';
import { MAX_CODE_CHARS } from '@/core/limits';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';

const SWITCH: Record<Method, string> = {
  totp: 'Use authenticator app',
  'recovery-code': 'Use recovery code',
};

/** The selected method, initially the first one. */
export function useMethod(challenge: Challenge) {
  const [method, choose] = useState<Method>(challenge.methods[0] ?? 'totp');
  return { method, choose, others: challenge.methods.filter((other) => other !== method) };
}

type OtherMethodsProps = ReturnType<typeof useMethod>;

export function CodeField({ method }: { method: Method }) {
  const isRecovery = method === 'recovery-code';
  return (
    <TextField
      key={method}
      label={isRecovery ? 'Recovery code' : 'Authentication code'}
      name="code"
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      maxLength={MAX_CODE_CHARS}
      hint={
        isRecovery
          ? 'One of your saved recovery codes. Each code works once.'
          : 'The six-digit code from your authenticator app.'
      }
    />
  );
}

/** Buttons that switch to the other methods. */
export function OtherMethods({ others, choose }: OtherMethodsProps) {
  return others.map((other) => (
    <Button key={other} kind="quiet" onClick={() => choose(other)}>
      {SWITCH[other]}
    </Button>
  ));
}
