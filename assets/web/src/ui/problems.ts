/** Assigns a server error to the form field that caused it. */
import { ApiError, explain, sentence } from '@/api/errors';

/** The error of a field; without a name, the error that belongs to no field of the form. */
export type Problem = (field?: string) => string | undefined;

export function problemOf(error: unknown, fields: readonly string[]): Problem {
  const at = error instanceof ApiError ? fields.find((field) => field === error.body.field) : undefined;
  return (field) => (error && at === field ? words(error, field) : undefined);
}

/** The wait of a rate limit counts down on the button only, so that screen readers don't announce it every second. */
function words(error: unknown, field?: string): string {
  // The field label already shows the name.
  const led = `${field}: `;
  if (error instanceof ApiError && field && error.message.startsWith(led)) {
    return sentence(error.message.slice(led.length));
  }
  return explainTyped(error);
}

/** The message for a form whose submission failed. */
export function explainTyped(error: unknown): string {
  if (error instanceof ApiError && error.status === 0) {
    return `${error.message} Your input is not lost. Try again when the connection is back.`;
  }
  if (!(error instanceof ApiError) || error.status !== 429) return explain(error);
  return 'Too many attempts. Your input is not lost. The button shows when you can try again.';
}
