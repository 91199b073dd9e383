/** A loading error with a button to try again. */
import { errorText } from '@/api/errors';
import { Button } from './Button';
import { Notice } from './Notice';

export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Notice title="Something went wrong">
      <p role="alert">{errorText(error)}</p>
      <div>
        <Button kind="main" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </Notice>
  );
}
