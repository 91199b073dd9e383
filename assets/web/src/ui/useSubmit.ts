/** Sends what is in a form that holds its fields itself, and says beside which field something is wrong. */
import { type Problem, problemOf } from './formErrors';
import { useAction } from './useAction';

interface Submit {
  busy: boolean;
  problem: Problem;
  submit: () => Promise<void>;
  /** Forgets what was wrong. */
  clear: () => void;
}

export function useSubmit(fields: readonly string[], send: () => Promise<void>): Submit {
  const { busy, error, clear, run } = useAction();
  return { busy, problem: problemOf(error, fields), submit: () => run(send), clear };
}
