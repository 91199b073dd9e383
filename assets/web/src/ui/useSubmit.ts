/** Sends what is in a form that holds its fields itself, and says beside which field something is wrong. */
import { type FieldErrors, fieldErrors } from './formErrors';
import { useAction } from './useAction';

interface Submit {
  busy: boolean;
  problem: FieldErrors;
  submit: () => Promise<void>;
  /** Forgets what was wrong. */
  clear: () => void;
}

export function useSubmit(fields: readonly string[], send: () => Promise<void>): Submit {
  const { busy, error, clear, run } = useAction();
  return { busy, problem: fieldErrors(error, fields), submit: () => run(send), clear };
}
