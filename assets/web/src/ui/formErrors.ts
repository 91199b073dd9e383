/** What the server says of a form, put beside the field that it speaks of. */
import { ApiError, errorText, toSentence } from '@/api/errors';

/** What is wrong with a field; with no name, what is wrong with none of the fields of the form. */
export type FieldErrors = (field?: string) => string | undefined;

export function fieldErrors(error: unknown, fields: readonly string[]): FieldErrors {
  const at = error instanceof ApiError ? fields.find((field) => field === error.body.field) : undefined;
  return (field) => (error && at === field ? fieldErrorText(error, field) : undefined);
}

/** How long one has to wait counts down on the button, so that it is not read aloud each second. */
function fieldErrorText(error: unknown, field?: string): string {
  // Beside a field, its name is told already.
  const led = `${field}: `;
  if (error instanceof ApiError && field && error.message.startsWith(led)) {
    return toSentence(error.message.slice(led.length));
  }
  return inputErrorText(error);
}

/** What to tell whoever has typed something that was not taken. */
export function inputErrorText(error: unknown): string {
  if (error instanceof ApiError && error.status === 0) {
    return `${error.message} What you typed stays here: try again when it is back.`;
  }
  if (!(error instanceof ApiError) || error.status !== 429) return errorText(error);
  return 'Too many attempts. What you typed stays here; the button tells when to try again.';
}
