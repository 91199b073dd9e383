/** What the wiki has against a request, when that is what is in the way. */
import { ApiError, errorText } from '@/api/errors';
import { wikiErrorText } from '@/core/wiki/errors';

export function wikiErrorOf(error: unknown): string | undefined {
  return error instanceof ApiError ? wikiErrorText(error.code, error.status) : undefined;
}

/** What to tell of an error; of one that is not the wiki's, what `otherwise` says. */
export function wikiOrErrorText(error: unknown, otherwise = errorText): string {
  return wikiErrorOf(error) ?? otherwise(error);
}
