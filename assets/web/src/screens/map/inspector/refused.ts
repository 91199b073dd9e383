/** What the wiki has against a request, when that is what is in the way. */
import { ApiError } from '@/api/errors';
import { type Refusal, refusalOf } from '@/core/wiki/refusal';

export function refused(error: unknown): Refusal | undefined {
  return error instanceof ApiError ? refusalOf(error.code, error.status) : undefined;
}
