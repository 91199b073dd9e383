/** Sends what is in a form that holds its fields itself, and says beside which field something is wrong. */
import { useState } from 'react';
import { ApiError, explain } from '@/api/errors';

interface Submit {
  busy: boolean;
  /** What is wrong with a field; with no name, what is wrong with none of the fields of the form. */
  problem: (field?: string) => string | undefined;
  submit: () => Promise<void>;
  /** Forgets what was wrong. */
  clear: () => void;
}

export function useSubmit(fields: readonly string[], send: () => Promise<void>): Submit {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const at = error instanceof ApiError ? fields.find((field) => field === error.body.field) : undefined;
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      await send();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const problem = (field?: string) => (error !== null && at === field ? explain(error) : undefined);
  return { busy, problem, submit, clear: () => setError(null) };
}
