/** How far a change of many rows has come: each row is a request of its own, and all of them one entry of undo. */
import { progressOf } from '@/core/sync/queue';
import { usePlan } from '@/plan/store';
import styles from './Table.module.css';

/** What takes longer than a moment. */
const MANY = 12;

export function Progress() {
  const step = usePlan((plan) => plan.done.at(-1));
  const queue = usePlan((plan) => plan.queue);
  const isAway = usePlan((plan) => plan.connection === 'away' || plan.isHeldUp);
  if (!step?.size || step.size < MANY) return null;
  const progress = progressOf(queue, step.batch, step.size);
  if (!progress) return null;
  const { done, of } = progress;
  return (
    <div className={styles.progress}>
      <label>
        <span>
          {step.label}: {done.toLocaleString('en')} of {of.toLocaleString('en')} saved
          {isAway && ', the rest as soon as the server is back'}
        </span>
        <progress value={done} max={of} />
      </label>
    </div>
  );
}
