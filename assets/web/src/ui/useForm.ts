/** Sends a form, and puts what the server says beside the field it speaks of. What was typed stays. */
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError, explain, sentence } from '@/api/errors';

export interface Form {
  busy: boolean;
  /** Seconds to wait until the server takes another attempt; 0 when it takes one now. */
  wait: number;
  /** What is wrong with a field; with no name, what is wrong with no field in particular. */
  problem: (field?: string) => string | undefined;
  /** The code of what is wrong, where programs may branch. */
  code: string | undefined;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** `names` are the form's fields; `send` gets their texts. */
export function useForm<Name extends string>(
  names: readonly Name[],
  send: (fields: Record<Name, string>) => Promise<void>,
): Form {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [until, setUntil] = useState(0);
  const wait = useSecondsUntil(until);
  const at = error instanceof ApiError && names.find((name) => name === error.body.field);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog's form stands, for React, inside the page's.
    event.stopPropagation();
    if (busy || wait > 0) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    const fields = Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as Record<
      Name,
      string
    >;
    setBusy(true);
    setError(null);
    send(fields)
      .catch((failure: unknown) => {
        setError(failure);
        if (!(failure instanceof ApiError)) return;
        if (failure.status === 429) setUntil(Date.now() + (failure.retryAfter ?? 1000));
        const name = failure.body.field;
        if (name) form.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
      })
      .finally(() => setBusy(false));
  };

  const problem = (field?: string) =>
    error && (field ? at === field : !at) ? words(error, field) : undefined;
  return { busy, wait, problem, onSubmit, code: error instanceof ApiError ? error.code : undefined };
}

/** How long one has to wait counts down on the button, so that it is not read aloud each second. */
function words(error: unknown, field?: string): string {
  // Beside a field, its name is told already.
  const led = `${field}: `;
  if (error instanceof ApiError && field && error.message.startsWith(led)) {
    return sentence(error.message.slice(led.length));
  }
  if (!(error instanceof ApiError) || error.status !== 429) return explain(error);
  return 'Too many attempts. What you typed stays here; the button tells when to try again.';
}

function useSecondsUntil(until: number): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const count = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    count();
    if (until <= Date.now()) return;
    const timer = setInterval(count, 250);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}
