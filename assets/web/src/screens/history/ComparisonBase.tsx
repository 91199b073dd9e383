/** Says that a gesture waits to be compared with another, which one has still to choose. */
import type { PastGesture } from '@/core/history/changeSets';
import { moment } from '@/core/time/format';
import { Button } from '@/ui/Button';
import styles from './history.module.css';

export function Marked({ base, onStop }: { base: PastGesture; onStop: () => void }) {
  return (
    <p className={styles.marked} role="status">
      <span>
        Comparing from {moment(base.ts)}. Choose <em>Compare with the marked one</em> at another entry.
      </span>
      <Button onClick={onStop}>Stop</Button>
    </p>
  );
}
