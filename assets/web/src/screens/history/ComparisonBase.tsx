/** Shows the entry selected for comparison and prompts for a second one. */
import type { PastChangeSet } from '@/core/history/changeSets';
import { formatDateTime } from '@/core/time/format';
import { Button } from '@/ui/Button';
import styles from './history.module.css';

export function ComparisonBase({ base, onStop }: { base: PastChangeSet; onStop: () => void }) {
  return (
    <p className={styles.comparisonBase} role="status">
      <span>
        Comparing with {formatDateTime(base.ts)}. Choose <em>Compare with selected</em> on another entry.
      </span>
      <Button onClick={onStop}>Cancel</Button>
    </p>
  );
}
