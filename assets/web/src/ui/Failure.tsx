/** A loading error with a button to try again. */
import { explain } from '@/api/errors';
import { Button } from './Button';
import { Notice } from './Notice';

export function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Notice title="Something went wrong">
      <p role="alert">{explain(error)}</p>
      <div>
        <Button kind="main" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </Notice>
  );
}
