/** What was done in a workspace that cannot be reached any more: it is listed, so that it can be kept by hand. */

import { describeEdit, describeOperation } from '@/core/sync/describe';
import { unsavedEdits } from '@/core/sync/queue';
import { Button } from '@/ui/Button';
import { showError, showToast } from '@/ui/Toasts';
import { updateQueue, useWorkspace } from '@/workspace/store';
import styles from './workspace.module.css';

/** Browsers give their clipboard to pages on https alone. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast('Copied');
  } catch {
    showError(
      new Error('This browser does not let the page copy. Select the list above, and copy it by hand.'),
    );
  }
}

export function UnreachableWorkspace() {
  const left = unsavedEdits(useWorkspace((state) => state.queue));
  const rows = useWorkspace((state) => state.serverRows);
  if (left.length === 0) return null;
  const text = left
    .flatMap(({ operations }) => operations)
    .map((operation) => `${describeOperation(operation, rows)}\n${JSON.stringify(operation)}`)
    .join('\n\n');
  return (
    <>
      <p>What you did here last could not be saved. It stays in this browser until you discard it:</p>
      <ol className={styles.list}>
        {left.map((edit) => (
          <li key={edit.id} className={styles.entry} data-stuck>
            {describeEdit(edit, rows)}
          </li>
        ))}
      </ol>
      <div className={styles.buttons}>
        <Button onClick={() => updateQueue(() => [])}>Discard</Button>
        <Button kind="main" onClick={() => void copy(text)}>
          Copy it
        </Button>
      </div>
    </>
  );
}
