/** Submits a form with controlled fields and maps server errors to them. */
import { type FieldErrors, fieldErrors } from './formErrors';
import { useAction } from './useAction';

interface Submit {
  busy: boolean;
  problem: FieldErrors;
  submit: () => Promise<void>;
  /** Clears the errors. */
  clear: () => void;
}

export function useSubmit(fields: readonly string[], send: () => Promise<void>): Submit {
  const { busy, error, clear, run } = useAction();
  return { busy, problem: fieldErrors(error, fields), submit: () => run(send), clear };
}
