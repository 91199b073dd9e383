/** Going back to a named version: asked once, saying what changes by it, and taken back with one press. */
import { useMemo, useState } from 'react';
import { explain } from '@/api/errors';
import { restoreVersion, type Version } from '@/api/generated';
import { difference, size } from '@/core/difference/difference';
import { sayDifference } from '@/core/difference/words';
import { unsaved } from '@/core/sync/queue';
import { cut } from '@/core/sync/words';
import { usePastState } from '@/plan/past';
import { recordStep, usePlan } from '@/plan/store';
import { sayDone } from '@/plan/undo';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { complain } from '@/ui/Toasts';
import styles from './history.module.css';

/** As many names as one reads before pressing. */
const NAMES = 8;

export function RestoreDialog({ version, onClose }: { version: Version; onClose: () => void }) {
  const { data: then, error } = usePastState(`v${version.id}`);
  const told = usePlan((plan) => plan.told);
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const waiting = usePlan(({ queue }) => unsaved(queue).length);
  const [busy, setBusy] = useState(false);
  const found = useMemo(() => (told && then ? difference(told, then) : null), [told, then]);
  const restore = () => {
    setBusy(true);
    restoreVersion(workspaceId, version.id)
      .then(({ batchId, skipped }) => {
        recordStep({ batch: batchId, label: `Go back to “${version.name}”` });
        sayDone(
          skipped.length > 0
            ? `Went back to “${version.name}”. ${skipped.length} stakeholders could not come back: who or what they were is not there any more.`
            : `Went back to “${version.name}”`,
          batchId,
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
      title={`Go back to “${version.name}”?`}
      footer={
        <>
          <Button onClick={onClose}>Leave it as it is</Button>
          <Button
            kind="main"
            busy={busy}
            disabled={waiting > 0 || !found || size(found) === 0}
            onClick={restore}
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
