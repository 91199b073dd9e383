/** The server does not answer, or is busy: says so, and tries by itself until it is back. */
import { useEffect } from 'react';
import { ApiError, errorText } from '@/api/errors';
import { Button } from './Button';
import { LoadError } from './LoadError';
import { Notice } from './Notice';

const RETRY_DELAY_MS = 3000;

export function ServerUnavailable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isTemporary = error instanceof ApiError && (error.isTemporary || error.status >= 500);
  // Each failed attempt is a new error, and begins the next pause.
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
    <Notice title="Planroom is away">
      <p role="status">{errorText(error)}</p>
      <p>This page tries again every few seconds, and goes on by itself as soon as the server answers.</p>
      <div>
        <Button kind="main" onClick={onRetry}>
          Try again now
        </Button>
      </div>
    </Notice>
  );
}
