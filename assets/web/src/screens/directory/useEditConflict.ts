/**
 * Protects a write from overwriting a newer revision. On a conflict, the form keeps its input and shows who changed the
 * data.
 */
import { useState } from 'react';
import { ApiError } from '@/api/errors';

export function useEditConflict(revision: number) {
  const [base] = useState(revision);
  const [agreed, setAgreed] = useState<number>();

  /** `write` must send the given headers, which contain the expected revision. */
  const guard = async <T>(write: (headers: Record<string, string>) => Promise<T>): Promise<T> => {
    try {
      return await write({ 'If-Match': `"${agreed ?? base}"` });
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) {
        const current = error.body.current as { revision?: number } | null | undefined;
        if (current?.revision !== undefined) setAgreed(current.revision);
        const author = error.body.changedBy?.displayName ?? 'Someone';
        throw new ApiError(412, {
          error: `${author} changed this in the meantime. Your input is not lost. Save again to overwrite their changes.`,
        });
      }
      throw error;
    }
  };
  return guard;
}
