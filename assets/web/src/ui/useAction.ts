/** An asynchronous action with busy state and error. */
import { useState } from 'react';

interface Acting {
  busy: boolean;
  error: unknown;
  /** Clears the error. */
  clear: () => void;
  run: (action: () => Promise<void>) => Promise<void>;
}

export function useAction(): Acting {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (action: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    await action()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return { busy, error, clear: () => setError(null), run };
}
