/** Lists unsaved changes of a workspace that is no longer accessible, so that the user can copy them. */
import { unsaved } from '@/core/sync/queue';
import { sayEdit, sayOperation } from '@/core/sync/words';
import { enqueue, usePlan } from '@/plan/store';
import { Button } from '@/ui/Button';
import { complain, say } from '@/ui/Toasts';
import styles from './plan.module.css';

/** Browsers offer the clipboard only on https. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say('Copied');
  } catch {
    complain(new Error('Could not copy. Select the list above and copy it manually.'));
  }
}

export function Lost() {
  const left = unsaved(usePlan((plan) => plan.queue));
  const rows = usePlan((plan) => plan.told);
  if (left.length === 0) return null;
  const text = left
    .flatMap(({ operations }) => operations)
    .map((operation) => `${sayOperation(operation, rows)}\n${JSON.stringify(operation)}`)
    .join('\n\n');
  return (
    <>
      <p>Your latest changes could not be saved. They stay in this browser until you discard them:</p>
      <ol className={styles.list}>
        {left.map((edit) => (
          <li key={edit.id} className={styles.entry} data-stuck>
            {sayEdit(edit, rows)}
          </li>
        ))}
      </ol>
      <div className={styles.buttons}>
        <Button onClick={() => enqueue(() => [])}>Discard</Button>
        <Button kind="main" onClick={() => void copy(text)}>
          Copy
        </Button>
      </div>
    </>
  );
}
