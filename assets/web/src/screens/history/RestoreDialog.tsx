/** Going back to a past state: asked once, saying what changes by it, and taken back with one press. */
import { useMemo, useState } from 'react';
import { explain } from '@/api/errors';
import { sayDifference } from '@/core/difference/describe';
import { difference, size } from '@/core/difference/difference';
import { cut } from '@/core/sync/describe';
import { unsaved } from '@/core/sync/queue';
import { counted } from '@/core/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { complain } from '@/ui/Toasts';
import { usePastState } from '@/workspace/pastState';
import { restore } from '@/workspace/restore';
import { recordStep, usePlan } from '@/workspace/store';
import { sayDone } from '@/workspace/undo';
import styles from './history.module.css';

/** As many names as one reads before pressing. */
const NAMES = 8;

interface Props {
  /** As an address names it: `v3`, `120`. */
  state: string;
  /** What it is called: “As approved”, the state of 22 Nov 2026, 00:05. */
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
        recordStep({ id: changeSetId, changeSetId, label: `Go back to ${name}` });
        sayDone(
          skipped > 0
            ? `Went back to ${name}. ${counted(skipped, 'stakeholder')} could not come back: the person, team or role is not there any more.`
            : `Went back to ${name}`,
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
      title={`Go back to ${name}?`}
      footer={
        <>
          <Button onClick={onClose}>Leave it as it is</Button>
          <Button
            kind="main"
            busy={busy}
            disabled={waiting > 0 || !found || size(found) === 0}
            onClick={goBack}
          >
            Go back
          </Button>
        </>
      }
    >
      {error && <p role="alert">{explain(error)}</p>}
      {!found && !error && <p role="status">Comparing it with the present …</p>}
      {found && (
        <p>
          {size(found) === 0
            ? 'The map is the same as it was then.'
            : `Compared with now: ${sayDifference(found)}.`}
        </p>
      )}
      {removed.length > 0 && (
        <div>
          <p>These components go:</p>
          <ul className={styles.names}>
            {removed.slice(0, NAMES).map((name) => (
              <li key={name}>{name}</li>
            ))}
            {removed.length > NAMES && <li>and {removed.length - NAMES} more</li>}
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
