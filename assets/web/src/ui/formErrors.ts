/** Maps errors to form fields. */
import { ApiError, errorText, toSentence } from '@/api/errors';

/** Returns the error of a field; without a name, the error that does not belong to any field of the form. */
export type FieldErrors = (field?: string) => string | undefined;

/** Invalid input found before it is sent, by field. */
export class InvalidInput extends Error {
  readonly problems: ReadonlyMap<string, string>;

  constructor(problems: ReadonlyMap<string, string>) {
    super('invalid input');
    this.problems = problems;
  }
}

/** Checks required and minimum lengths of all fields at once. The server would report only the first problem. */
export function inputProblems(form: HTMLFormElement, names: readonly string[]): Map<string, string> {
  const problems = new Map<string, string>();
  for (const name of names) {
    const field = form.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement)) continue;
    const problem = inputProblem(field);
    if (problem) problems.set(name, problem);
  }
  return problems;
}

function inputProblem({ value, required, minLength }: HTMLInputElement): string | undefined {
  if (value.trim() === '') return required ? 'Must not be empty.' : undefined;
  return [...value].length < minLength ? `Must have at least ${minLength} characters.` : undefined;
}

export function fieldErrors(error: unknown, fields: readonly string[]): FieldErrors {
  if (error instanceof InvalidInput) return (field) => (field ? error.problems.get(field) : undefined);
  const at = error instanceof ApiError ? fields.find((field) => field === error.body.field) : undefined;
  return (field) => (error && at === field ? fieldErrorText(error, field) : undefined);
}

/** A rate limit is shown only on the button, so that screen readers don't announce the countdown every second. */
function fieldErrorText(error: unknown, field?: string): string {
  // The field label already shows the name.
  if (error instanceof ApiError && field && error.problem) return toSentence(error.problem);
  return inputErrorText(error);
}

/** The message for a form submission that failed. */
export function inputErrorText(error: unknown): string {
  if (error instanceof ApiError && error.status === 0) {
    return `${error.message} Your input is not lost. Try again when the connection is back.`;
  }
  if (!(error instanceof ApiError) || error.status !== 429) return errorText(error);
  return 'Too many attempts. Your input is not lost. The button shows when you can try again.';
}
