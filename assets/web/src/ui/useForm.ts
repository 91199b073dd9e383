/** Submits a form and shows errors next to its fields. The input is never cleared. */
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '@/api/errors';
import { type FieldErrors, fieldErrors, InvalidInput, inputProblems } from './formErrors';
import { useAction } from './useAction';

export interface FormState {
  busy: boolean;
  /** Seconds until the server accepts another attempt; 0 if it already does. */
  wait: number;
  problem: FieldErrors;
  /** The error code, for callers that handle specific errors. */
  code: string | undefined;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** `names` are the fields of the form. `send` receives their values if all required fields have one. */
export function useForm<Name extends string>(
  names: readonly Name[],
  send: (fields: Record<Name, string>) => Promise<void>,
): FormState {
  const { busy, error, run } = useAction();
  const [until, setUntil] = useState(0);
  const wait = useSecondsUntil(until);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // In React, events of a form in a dialog bubble to the form of the page, so stop them here.
    event.stopPropagation();
    if (busy || wait > 0) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    const fields = Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as Record<
      Name,
      string
    >;
    const focusField = (name: string) =>
      form.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
    void run(async () => {
      const problems = inputProblems(form, names);
      const [invalid] = problems.keys();
      if (invalid) {
        focusField(invalid);
        throw new InvalidInput(problems);
      }
      await send(fields).catch((failure: unknown) => {
        if (failure instanceof ApiError) {
          if (failure.status === 429) setUntil(Date.now() + (failure.retryAfter ?? 1000));
          if (failure.body.field) focusField(failure.body.field);
        }
        throw failure;
      });
    });
  };
  const code = error instanceof ApiError ? error.code : undefined;
  return { busy, wait, problem: fieldErrors(error, names), onSubmit, code };
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
