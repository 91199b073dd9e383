/** Error messages of the wiki, if a request failed because of it. */
import { ApiError, errorText } from '@/api/errors';
import { wikiErrorText } from '@/core/wiki/errors';

export function wikiErrorOf(error: unknown): string | undefined {
  return error instanceof ApiError ? wikiErrorText(error.code, error.status) : undefined;
}

/** The message for an error; `otherwise` provides it for errors that are not about the wiki. */
export function wikiOrErrorText(error: unknown, otherwise = errorText): string {
  return wikiErrorOf(error) ?? otherwise(error);
}
