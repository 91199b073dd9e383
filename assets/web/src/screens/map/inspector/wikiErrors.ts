/** What the wiki has against a request, when that is what is in the way. */
import { ApiError, explain } from '@/api/errors';
import { refusalOf } from '@/core/wiki/errors';

export function refused(error: unknown): string | undefined {
  return error instanceof ApiError ? refusalOf(error.code, error.status) : undefined;
}

/** What to tell of an error; of one that is not the wiki's, what `otherwise` says. */
export function explainWiki(error: unknown, otherwise = explain): string {
  return refused(error) ?? otherwise(error);
}
