/** Going back to a past state: asked once, saying what changes by it, and taken back with one press. */
import { useMemo, useState } from 'react';
import { errorText } from '@/api/errors';
import { describeDifference } from '@/core/difference/describe';
import { compareRows, differenceSize } from '@/core/difference/difference';
import { shorten } from '@/core/sync/describe';
import { unsavedEdits } from '@/core/sync/queue';
import { formatCount } from '@/core/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { showError } from '@/ui/Toasts';
import { usePastState } from '@/workspace/pastState';
import { restoreState } from '@/workspace/restore';
import { recordUndoStep, useWorkspace } from '@/workspace/store';
import { showUndoToast } from '@/workspace/undo';
import styles from './history.module.css';

/** As many names as one reads before pressing. */
const MAX_NAMES = 8;

interface Props {
  /** As an address names it: `v3`, `120`. */
  state: string;
  /** What it is called: “As approved”, the state of 22 Nov 2026, 00:05. */
  name: string;
  onClose: () => void;
}

export function RestoreDialog({ state, name, onClose }: Props) {
  const { data: then, error } = usePastState(state);
  const serverRows = useWorkspace((state) => state.serverRows);
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const waiting = useWorkspace(({ queue }) => unsavedEdits(queue).length);
  const [busy, setBusy] = useState(false);
  const found = useMemo(
    () => (serverRows && then ? compareRows(serverRows, then) : null),
    [serverRows, then],
  );
  const goBack = () => {
    setBusy(true);
    restoreState(workspaceId, state)
      .then(({ changeSetId, skipped }) => {
        recordUndoStep({ id: changeSetId, changeSetId, label: `Go back to ${name}` });
        showUndoToast(
          skipped > 0
            ? `Went back to ${name}. ${formatCount(skipped, 'stakeholder')} could not come back: the person, team or role is not there any more.`
            : `Went back to ${name}`,
          changeSetId,
        );
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
      title={`Go back to ${name}?`}
      footer={
        <>
          <Button onClick={onClose}>Leave it as it is</Button>
          <Button
            kind="main"
            busy={busy}
            disabled={waiting > 0 || !found || differenceSize(found) === 0}
            onClick={goBack}
          >
            Go back
          </Button>
        </>
      }
    >
      {error && <p role="alert">{errorText(error)}</p>}
      {!found && !error && <p role="status">Comparing it with the present …</p>}
      {found && (
        <p>
          {differenceSize(found) === 0
            ? 'The map is the same as it was then.'
            : `Compared with now: ${describeDifference(found)}.`}
        </p>
      )}
      {removed.length > 0 && (
        <div>
          <p>These components go:</p>
          <ul className={styles.names}>
            {removed.slice(0, MAX_NAMES).map((name) => (
              <li key={name}>{name}</li>
            ))}
            {removed.length > MAX_NAMES && <li>and {removed.length - MAX_NAMES} more</li>}
          </ul>
        </div>
      )}
      {waiting > 0 ? (
        <p role="status">First what you did last has to be saved: {waiting} waiting.</p>
      ) : (
        <p className={styles.soft}>
          Who may see the workspace stays as it is. You can take this back with Undo.
        </p>
      )}
    </Dialog>
  );
}
