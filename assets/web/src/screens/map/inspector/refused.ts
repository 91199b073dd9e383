/** Error messages of the wiki, if a request failed because of it. */
import { ApiError, explain } from '@/api/errors';
import { refusalOf } from '@/core/wiki/refusal';

export function refused(error: unknown): string | undefined {
  return error instanceof ApiError ? refusalOf(error.code, error.status) : undefined;
}

/** The message for an error; `otherwise` provides it for errors that are not about the wiki. */
export function explainWiki(error: unknown, otherwise = explain): string {
  return refused(error) ?? otherwise(error);
}
