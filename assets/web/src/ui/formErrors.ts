/** Assigns a server error to the form field that caused it. */
import { ApiError, errorText, toSentence } from '@/api/errors';

/** The error of a field; without a name, the error that belongs to no field of the form. */
export type FieldErrors = (field?: string) => string | undefined;

export function fieldErrors(error: unknown, fields: readonly string[]): FieldErrors {
  const at = error instanceof ApiError ? fields.find((field) => field === error.body.field) : undefined;
  return (field) => (error && at === field ? fieldErrorText(error, field) : undefined);
}

/** The wait of a rate limit counts down on the button only, so that screen readers don't announce it every second. */
function fieldErrorText(error: unknown, field?: string): string {
  // The field label already shows the name.
  if (error instanceof ApiError && field && error.problem) return toSentence(error.problem);
  return inputErrorText(error);
}

/** The message for a form whose submission failed. */
export function inputErrorText(error: unknown): string {
  if (error instanceof ApiError && error.status === 0) {
    return `${error.message} Your input is not lost. Try again when the connection is back.`;
  }
  if (!(error instanceof ApiError) || error.status !== 429) return errorText(error);
  return 'Too many attempts. Your input is not lost. The button shows when you can try again.';
}
