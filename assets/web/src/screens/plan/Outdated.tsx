/** Edits made before the server was restored from a backup, for review by their author. */
import type { Edit } from '@/core/sync/queue';
import { sayEdit, sayOperation } from '@/core/sync/words';
import { moment } from '@/core/time/moment';
import { counted } from '@/core/words';
import { usePlan } from '@/plan/store';
import { Button } from '@/ui/Button';
import styles from './plan.module.css';

/** Maximum number of operations listed per edit. */
const MAX_LISTED = 50;

interface Props {
  edits: readonly Edit[];
  onApply: (edit: Edit) => void;
  onDiscard: (edit: Edit) => void;
}

export function Outdated({ edits, onApply, onDiscard }: Props) {
  const rows = usePlan((plan) => plan.told);
  return (
    <section aria-label="Edits made before the server was restored">
      <h3>Edits made before the server was restored</h3>
      <p className={styles.soft}>
        The server was restored from a backup after you made these edits. The workspace may be different from
        what you saw. Apply each edit to the workspace as it is now, or discard it.
      </p>
      <ol className={styles.list}>
        {edits.map((edit) => (
          <li key={edit.id} className={styles.entry} data-stuck>
            <span className={styles.what}>{sayEdit(edit, rows)}</span>
            <span className={styles.soft}>Made on {moment(edit.at)}</span>
            {edit.operations.length > 1 && (
              <details>
                <summary>{counted(edit.operations.length, 'change')}</summary>
                <ul>
                  {edit.operations.slice(0, MAX_LISTED).map((operation, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the operations of an edit keep their order
                    <li key={at}>{sayOperation(operation, rows)}</li>
                  ))}
                  {edit.operations.length > MAX_LISTED && (
                    <li>and {edit.operations.length - MAX_LISTED} more</li>
                  )}
                </ul>
              </details>
            )}
            <span className={styles.buttons}>
              <Button onClick={() => onDiscard(edit)}>Discard</Button>
              <Button kind="main" disabled={!rows} onClick={() => onApply(edit)}>
                Apply anyway
              </Button>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
