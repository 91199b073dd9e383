/** Edits made before the server was restored from a backup, for review by their author. */

import { describeEdit, describeOperation } from '@/core/sync/describe';
import type { Edit } from '@/core/sync/queue';
import { formatCount } from '@/core/text';
import { formatDateTime } from '@/core/time/format';
import { Button } from '@/ui/Button';
import { useWorkspace } from '@/workspace/store';
import styles from './workspace.module.css';

/** Maximum number of operations listed per edit. */
const MAX_LISTED_OPERATIONS = 50;

interface Props {
  edits: readonly Edit[];
  onApply: (edit: Edit) => void;
  onDiscard: (edit: Edit) => void;
}

export function OutdatedEdits({ edits, onApply, onDiscard }: Props) {
  const rows = useWorkspace((state) => state.serverRows);
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
            <span className={styles.summary}>{describeEdit(edit, rows)}</span>
            <span className={styles.soft}>Made on {formatDateTime(edit.at)}</span>
            {edit.operations.length > 1 && (
              <details>
                <summary>{formatCount(edit.operations.length, 'change')}</summary>
                <ul>
                  {edit.operations.slice(0, MAX_LISTED_OPERATIONS).map((operation, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the operations of an edit keep their order
                    <li key={at}>{describeOperation(operation, rows)}</li>
                  ))}
                  {edit.operations.length > MAX_LISTED_OPERATIONS && (
                    <li>and {edit.operations.length - MAX_LISTED_OPERATIONS} more</li>
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
