/** Sends a form, and puts what the server says beside the field it speaks of. */
import { type FormEvent, useState } from 'react';
import { ApiError, explain } from '@/api/errors';

interface Form {
  busy: boolean;
  /** What is wrong with a field; with no name, what is wrong with no field in particular. */
  problem: (field?: string) => string | undefined;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** `names` are the form's fields; `send` gets their texts. */
export function useForm<Name extends string>(
  names: readonly Name[],
  send: (fields: Record<Name, string>) => Promise<void>,
): Form {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const at = error instanceof ApiError && names.find((name) => name === error.body.field);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
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
        const name = failure instanceof ApiError ? failure.body.field : undefined;
        if (name) form.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
      })
      .finally(() => setBusy(false));
  };

  const problem = (field?: string) => (error && (field ? at === field : !at) ? explain(error) : undefined);
  return { busy, problem, onSubmit };
}
