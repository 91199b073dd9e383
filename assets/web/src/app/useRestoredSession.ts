/** At the start of a page the cookie tells who is signed in. */
import { useCallback, useEffect, useState } from 'react';

export function useRestoredSession(renew: () => Promise<void>): { problem: unknown; again: () => void } {
  const [problem, setProblem] = useState<unknown>(null);
  const again = useCallback(() => {
    // What went wrong stays on the page until an attempt has gone well.
    renew().catch(setProblem);
  }, [renew]);
  useEffect(again, [again]);
  return { problem, again };
}
