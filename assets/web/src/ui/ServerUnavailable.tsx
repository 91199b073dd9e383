/** The server does not answer, or is busy: says so, and tries by itself until it is back. */
import { useEffect } from 'react';
import { ApiError, explain } from '@/api/errors';
import { Button } from './Button';
import { Failure } from './LoadError';
import { Notice } from './Notice';

const PAUSE = 3000;

export function Away({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isPassing = error instanceof ApiError && (error.isPassing || error.status >= 500);
  // Each failed attempt is a new error, and begins the next pause.
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
    <Notice title="Planroom is away">
      <p role="status">{explain(error)}</p>
      <p>This page tries again every few seconds, and goes on by itself as soon as the server answers.</p>
      <div>
        <Button kind="main" onClick={onRetry}>
          Try again now
        </Button>
      </div>
    </Notice>
  );
}
