/** Lists unsaved changes of a workspace that is no longer accessible, so that the user can copy them. */

import { describeEdit, describeOperation } from '@/core/sync/describe';
import { unsavedEdits } from '@/core/sync/queue';
import { Button } from '@/ui/Button';
import { showError, showToast } from '@/ui/Toasts';
import { updateQueue, useWorkspace } from '@/workspace/store';
import styles from './workspace.module.css';

/** Browsers provide the clipboard only over HTTPS. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast('Copied');
  } catch {
    showError(new Error('Could not copy. Select the list above and copy it manually.'));
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
      <p>Your latest changes could not be saved. They stay in this browser until you discard them:</p>
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
          Copy
        </Button>
      </div>
    </>
  );
}
