/** Restores a past state after previewing the changes. The restore can be undone. */
import { useMemo, useState } from 'react';
import { errorText } from '@/api/errors';
import { describeDifference } from '@/core/difference/describe';
import { compareRows, differenceSize } from '@/core/difference/difference';
import { shorten } from '@/core/sync/describe';
import { unsavedEdits } from '@/core/sync/queue';
import { formatCount } from '@/core/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { showError, showToast } from '@/ui/Toasts';
import { usePastState } from '@/workspace/pastState';
import { restoreState } from '@/workspace/restore';
import { recordUndoStep, useWorkspace } from '@/workspace/store';
import { showUndoToast } from '@/workspace/undo';
import styles from './history.module.css';

/** Maximum number of names listed. */
const MAX_NAMES = 8;

interface Props {
  /** The state in URL format: `v3` or `120`. */
  state: string;
  /** The display name: “As approved” or the state of Nov 22, 2026, 12:05 AM. */
  name: string;
  onClose: () => void;
}

export function RestoreDialog({ state, name, onClose }: Props) {
  const { data: pastRows, error } = usePastState(state);
  const serverRows = useWorkspace((state) => state.serverRows);
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const waiting = useWorkspace(({ queue }) => unsavedEdits(queue).length);
  const [busy, setBusy] = useState(false);
  const found = useMemo(
    () => (serverRows && pastRows ? compareRows(serverRows, pastRows) : null),
    [serverRows, pastRows],
  );
  const goBack = () => {
    setBusy(true);
    restoreState(workspaceId, state)
      .then(({ changeSetId, skipped }) => {
        const text =
          skipped > 0
            ? `Restored ${name}. ${formatCount(skipped, 'stakeholder')} could not be restored because the person, team or role was deleted.`
            : `Restored ${name}`;
        if (changeSetId) {
          recordUndoStep({ id: changeSetId, changeSetId, label: `Restore ${name}` });
          showUndoToast(text, changeSetId);
        } else showToast(text);
        onClose();
      })
      .catch(showError)
      .finally(() => setBusy(false));
  };
  const removed = found?.component.removed.map((row) => shorten(String(row.name))) ?? [];
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Restore ${name}?`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="main"
            busy={busy}
            disabled={waiting > 0 || !found || differenceSize(found) === 0}
            onClick={goBack}
          >
            Restore
          </Button>
        </>
      }
    >
      {error && <p role="alert">{errorText(error)}</p>}
      {!found && !error && <p role="status">Comparing with the current version…</p>}
      {found && (
        <p>
          {differenceSize(found) === 0
            ? 'The current map is identical to this version.'
            : `Changes to the current map: ${describeDifference(found)}.`}
        </p>
      )}
      {removed.length > 0 && (
        <div>
          <p>Components that will be deleted:</p>
          <ul className={styles.names}>
            {removed.slice(0, MAX_NAMES).map((name) => (
              <li key={name}>{name}</li>
            ))}
            {removed.length > MAX_NAMES && <li>and {removed.length - MAX_NAMES} more</li>}
          </ul>
        </div>
      )}
      {waiting > 0 ? (
        <p role="status">Your latest changes must be saved first ({waiting} pending).</p>
      ) : (
        <p className={styles.soft}>The visibility of the workspace does not change. You can undo this.</p>
      )}
    </Dialog>
  );
}
