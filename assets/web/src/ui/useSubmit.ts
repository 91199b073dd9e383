/** Submits a form with controlled fields and assigns server errors to them. */
import { type Problem, problemOf } from './problems';
import { useAction } from './useAction';

interface Submit {
  busy: boolean;
  problem: Problem;
  submit: () => Promise<void>;
  /** Clears the errors. */
  clear: () => void;
}

export function useSubmit(fields: readonly string[], send: () => Promise<void>): Submit {
  const { busy, error, clear, run } = useAction();
  return { busy, problem: problemOf(error, fields), submit: () => run(send), clear };
}
