/** Maps server errors to form fields. */
import { ApiError, errorText, toSentence } from '@/api/errors';

/** Returns the error of a field; without a name, the error that does not belong to any field of the form. */
export type FieldErrors = (field?: string) => string | undefined;

export function fieldErrors(error: unknown, fields: readonly string[]): FieldErrors {
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
