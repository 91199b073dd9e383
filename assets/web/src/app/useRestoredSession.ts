/** Renews the session from the cookie on page load. */
import { useCallback, useEffect, useState } from 'react';

export function useRestoredSession(renew: () => Promise<void>): { problem: unknown; again: () => void } {
  const [problem, setProblem] = useState<unknown>(null);
  const retry = useCallback(() => {
    // The error is shown until an attempt succeeds.
    renew().catch(setProblem);
  }, [renew]);
  useEffect(retry, [retry]);
  return { problem, again: retry };
}
