/** Shown while the server is unreachable or busy, or is a standby. Retries until it responds. */
import { useEffect } from 'react';
import { ApiError, errorText } from '@/api/errors';
import { STANDBY } from '@/api/standby';
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
  const isStandby = error.code === STANDBY;
  return (
    <Notice title={isStandby ? 'Read-only standby server' : 'Can’t reach the server'}>
      <p role="status">{errorText(error)}</p>
      {isStandby && (
        <p>
          A standby has a copy of the data for scripts and assistants, and replaces the main server if that
          fails. Signing in works only after that.
        </p>
      )}
      <p>
        This page retries every few seconds and continues when the server{' '}
        {isStandby ? 'accepts changes' : 'responds'}.
      </p>
      <div>
        <Button kind="main" onClick={onRetry}>
          Retry now
        </Button>
      </div>
    </Notice>
  );
}
