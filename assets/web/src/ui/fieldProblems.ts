/** The errors of the form around a field, which the field reads by its name. */
import { createContext, useContext } from 'react';
import type { FieldErrors } from './formErrors';

export const FieldProblems = createContext<FieldErrors>(() => undefined);

/** The error of a field: its own, or that of the form for its name. */
export function useFieldProblem(own: string | undefined, name: string | undefined): string | undefined {
  const problems = useContext(FieldProblems);
  return own ?? (name === undefined ? undefined : problems(name));
}
