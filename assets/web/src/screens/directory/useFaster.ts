/** Writes over what was read and nothing else; when somebody was faster it says so, and what was typed stays. */
import { useState } from 'react';
import { ApiError } from '@/api/errors';

export function useFaster(revision: number) {
  const [base] = useState(revision);
  const [agreed, setAgreed] = useState<number>();

  /** `write` sends the headers that name the revision it is meant for. */
  const guard = async <T>(write: (headers: Record<string, string>) => Promise<T>): Promise<T> => {
    try {
      return await write({ 'If-Match': `"${agreed ?? base}"` });
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) {
        const current = error.body.current as { revision?: number } | null | undefined;
        if (current?.revision !== undefined) setAgreed(current.revision);
        const who = error.body.changedBy?.displayName ?? 'Someone';
        throw new ApiError(0, {
          error: `${who} changed this in the meantime. Your input is not lost. Save again to overwrite their changes.`,
        });
      }
      throw error;
    }
  };
  return guard;
}
