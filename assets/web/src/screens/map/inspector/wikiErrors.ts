/** Error messages for requests that failed because of the wiki. */
import { ApiError, errorText } from '@/api/errors';
import { wikiErrorText } from '@/core/wiki/errors';

export function wikiErrorOf(error: unknown): string | undefined {
  return error instanceof ApiError ? wikiErrorText(error.code, error.status) : undefined;
}

/** The message for an error. `otherwise` returns the message for errors unrelated to the wiki. */
export function wikiOrErrorText(error: unknown, otherwise = errorText): string {
  return wikiErrorOf(error) ?? otherwise(error);
}
