/** Shows that an entry is selected and waits for a second one to compare with. */
import type { PastGesture } from '@/core/history/gestures';
import { moment } from '@/core/time/moment';
import { Button } from '@/ui/Button';
import styles from './history.module.css';

export function Marked({ base, onStop }: { base: PastGesture; onStop: () => void }) {
  return (
    <p className={styles.marked} role="status">
      <span>
        Comparing with {moment(base.ts)}. Choose <em>Compare with selected</em> on another entry.
      </span>
      <Button onClick={onStop}>Cancel</Button>
    </p>
  );
}
