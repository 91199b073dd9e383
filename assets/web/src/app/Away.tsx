/** Shown while the server is unreachable or busy. Retries until it responds. */
import { useEffect } from 'react';
import { ApiError, explain } from '@/api/errors';
import { Button } from '@/ui/Button';
import { Failure } from '@/ui/Failure';
import { Notice } from '@/ui/Notice';

const PAUSE = 3000;

export function Away({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isPassing = error instanceof ApiError && (error.isPassing || error.status >= 500);
  // Each failed attempt is a new error, which starts the next pause.
  useEffect(() => {
    if (!isPassing || !error) return;
    const timer = setTimeout(onRetry, PAUSE);
    window.addEventListener('online', onRetry);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', onRetry);
    };
  }, [error, isPassing, onRetry]);
  if (!isPassing) return <Failure error={error} onRetry={onRetry} />;
  return (
    <Notice title="Can’t reach the server">
      <p role="status">{explain(error)}</p>
      <p>This page retries every few seconds and continues when the server responds.</p>
      <div>
        <Button kind="main" onClick={onRetry}>
          Retry now
        </Button>
      </div>
    </Notice>
  );
}
