/** Restores a past state after showing what would change. The restore can be undone. */
import { useMemo, useState } from 'react';
import { explain } from '@/api/errors';
import { difference, size } from '@/core/difference/difference';
import { sayDifference } from '@/core/difference/words';
import { unsaved } from '@/core/sync/queue';
import { cut } from '@/core/sync/words';
import { counted } from '@/core/words';
import { usePastState } from '@/plan/past';
import { restore } from '@/plan/restore';
import { recordStep, usePlan } from '@/plan/store';
import { sayDone } from '@/plan/undo';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { complain } from '@/ui/Toasts';
import styles from './history.module.css';

/** Maximum number of names listed. */
const NAMES = 8;

interface Props {
  /** The state as in the URL: `v3`, `120`. */
  state: string;
  /** The display name: “As approved”, the state of Nov 22, 2026, 12:05 AM. */
  name: string;
  onClose: () => void;
}

export function RestoreDialog({ state, name, onClose }: Props) {
  const { data: then, error } = usePastState(state);
  const told = usePlan((plan) => plan.told);
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const waiting = usePlan(({ queue }) => unsaved(queue).length);
  const [busy, setBusy] = useState(false);
  const found = useMemo(() => (told && then ? difference(told, then) : null), [told, then]);
  const goBack = () => {
    setBusy(true);
    restore(workspaceId, state)
      .then(({ changeSetId, skipped }) => {
        recordStep({ id: changeSetId, changeSetId, label: `Restore ${name}` });
        sayDone(
          skipped > 0
            ? `Restored ${name}. ${counted(skipped, 'stakeholder')} could not be restored because the person, team or role was deleted.`
            : `Restored ${name}`,
          changeSetId,
        );
        onClose();
      })
      .catch(complain)
      .finally(() => setBusy(false));
  };
  const removed = found?.component.removed.map((row) => cut(String(row.name))) ?? [];
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
            disabled={waiting > 0 || !found || size(found) === 0}
            onClick={goBack}
          >
            Restore
          </Button>
        </>
      }
    >
      {error && <p role="alert">{explain(error)}</p>}
      {!found && !error && <p role="status">Comparing with the current version…</p>}
      {found && (
        <p>
          {size(found) === 0
            ? 'The current map is identical to this version.'
            : `Changes to the current map: ${sayDifference(found)}.`}
        </p>
      )}
      {removed.length > 0 && (
        <div>
          <p>Components that will be deleted:</p>
          <ul className={styles.names}>
            {removed.slice(0, NAMES).map((name) => (
              <li key={name}>{name}</li>
            ))}
            {removed.length > NAMES && <li>and {removed.length - NAMES} more</li>}
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
