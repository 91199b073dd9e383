/** Two have changed the same: who did what, field by field, and which of both is to stay. */

import { useState } from 'react';
import { keptMine, tookTheirs } from '@/core/sync/decide';
import type { Clash } from '@/core/sync/merge';
import type { Pending } from '@/core/sync/queue';
import { sayField, sayOperation, sayValue } from '@/core/sync/words';
import { moment } from '@/core/time/moment';
import { enqueue, usePlan } from '@/plan/store';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextArea } from '@/ui/Field';
import styles from './plan.module.css';

/** Texts from this length on, or of several lines, can be merged by hand. */
const LONG = 40;

export function ConflictDialog({ pendingKey, onClose }: { pendingKey: string | null; onClose: () => void }) {
  const pending = usePlan(({ queue }) => queue.find(({ key }) => key === pendingKey));
  if (!pending?.conflict) return null;
  return <Decision key={pending.key} pending={pending} onClose={onClose} />;
}

function Decision({ pending, onClose }: { pending: Pending; onClose: () => void }) {
  const rows = usePlan((plan) => plan.told);
  const [merged, setMerged] = useState<ReadonlyMap<string, unknown>>(new Map());
  const { key, conflict, operation } = pending;
  if (!conflict) return null;
  const close = (change: Parameters<typeof enqueue>[0]) => {
    enqueue(change);
    onClose();
  };
  const isDelete = operation.op === 'delete';
  const isGone = conflict.why === 'deleted';
  return (
    <Dialog
      open
      onClose={onClose}
      wide={conflict.clashes.length > 0}
      title={isGone ? 'It was deleted while you changed it' : 'Somebody else was faster'}
      footer={
        <>
          <Button onClick={onClose}>Decide later</Button>
          <Button onClick={() => close((queue) => tookTheirs(queue, key))}>
            {isGone ? 'Leave it deleted' : isDelete ? 'Keep it' : 'Take theirs'}
          </Button>
          <Button kind="main" onClick={() => close((queue) => keptMine(queue, key, merged))}>
            {isGone
              ? 'Bring it back with my change'
              : isDelete
                ? 'Delete it'
                : merged.size > 0
                  ? 'Save as merged'
                  : 'Keep mine'}
          </Button>
        </>
      }
    >
      <p>
        {story(pending)} <strong>{sayOperation(operation, rows)}</strong> is yours, and is not saved yet.
        {isGone && ' What hung on it, such as relationships, does not come back with it.'}
      </p>
      {conflict.clashes.map((clash) => (
        <Sides
          key={clash.field}
          clash={clash}
          theirName={conflict.by?.displayName ?? 'Somebody else'}
          merged={merged.get(clash.field)}
          onMerge={(text) => setMerged(new Map(merged).set(clash.field, text))}
        />
      ))}
    </Dialog>
  );
}

function story({ conflict, operation }: Pending): string {
  const by = conflict?.by?.displayName ?? 'Somebody else';
  const when = conflict?.at ? ` on ${moment(conflict.at)}` : '';
  if (conflict?.why === 'deleted') return `${by} deleted it${when}.`;
  return operation.op === 'delete'
    ? `${by} changed it${when}, after you had last seen it.`
    : `${by} changed the same${when}.`;
}

interface SidesProps {
  clash: Clash;
  theirName: string;
  merged: unknown;
  onMerge: (text: string) => void;
}

function Sides({ clash: { field, mine, theirs }, theirName, merged, onMerge }: SidesProps) {
  const canMerge =
    typeof mine === 'string' &&
    typeof theirs === 'string' &&
    [mine, theirs].some((one) => one.length >= LONG || one.includes('\n'));
  return (
    <section className={styles.clash} aria-label={sayField(field)}>
      <h3>{sayField(field)}</h3>
      <div className={styles.sides}>
        <figure className={styles.side}>
          <figcaption>Yours</figcaption>
          <pre>{sayValue(mine)}</pre>
        </figure>
        <figure className={styles.side}>
          <figcaption>{theirName}’s</figcaption>
          <pre>{sayValue(theirs)}</pre>
        </figure>
      </div>
      {canMerge &&
        (typeof merged === 'string' ? (
          <TextArea
            label={`Both, merged by hand`}
            rows={6}
            value={merged}
            onChange={(event) => onMerge(event.currentTarget.value)}
          />
        ) : (
          <div>
            <Button onClick={() => onMerge(`${mine}\n\n${theirs}`)}>Merge by hand</Button>
          </div>
        ))}
    </section>
  );
}
