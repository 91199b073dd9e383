/** Shown while the server is unreachable or busy. Retries until it responds. */
import { useEffect } from 'react';
import { ApiError, errorText } from '@/api/errors';
import { Button } from './Button';
import { LoadError } from './LoadError';
import { Notice } from './Notice';

const RETRY_DELAY_MS = 3000;

export function ServerUnavailable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isTemporary = error instanceof ApiError && (error.isTemporary || error.status >= 500);
  // Each failed attempt throws a new error, which schedules the next attempt.
  useEffect(() => {
    if (!isTemporary || !error) return;
    const timer = setTimeout(onRetry, RETRY_DELAY_MS);
    window.addEventListener('online', onRetry);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', onRetry);
    };
  }, [error, isTemporary, onRetry]);
  if (!isTemporary) return <LoadError error={error} onRetry={onRetry} />;
  return (
    <Notice title="Can’t reach the server">
      <p role="status">{errorText(error)}</p>
      <p>This page retries every few seconds and continues when the server responds.</p>
      <div>
        <Button kind="main" onClick={onRetry}>
          Retry now
        </Button>
      </div>
    </Notice>
  );
}
