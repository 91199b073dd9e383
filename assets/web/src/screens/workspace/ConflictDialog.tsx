/** Two have changed the same: who did what, field by field, and which of both is to stay. */

import { Fragment, useState } from 'react';
import { sayEdit, sayField, sayOperation, sayValue } from '@/core/sync/describe';
import type { Clash } from '@/core/sync/merge';
import type { Operation } from '@/core/sync/operation';
import type { Conflict, Edit } from '@/core/sync/queue';
import { choiceKey, freeIds, keptMine, tookTheirs } from '@/core/sync/resolve';
import { moment } from '@/core/time/format';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextArea } from '@/ui/Field';
import { enqueue, usePlan } from '@/workspace/store';
import styles from './workspace.module.css';

/** Texts from this length on, or of several lines, can be merged by hand. */
const LONG = 40;

export function ConflictDialog({ editId, onClose }: { editId: string | null; onClose: () => void }) {
  const edit = usePlan(({ queue }) => queue.find(({ id }) => id === editId));
  if (edit?.state !== 'conflict' || !edit.conflicts) return null;
  return <Decision key={edit.id} edit={edit} conflicts={edit.conflicts} onClose={onClose} />;
}

interface DecisionProps {
  edit: Edit;
  conflicts: readonly Conflict[];
  onClose: () => void;
}

function Decision({ edit, conflicts, onClose }: DecisionProps) {
  const rows = usePlan((plan) => plan.told);
  const [merged, setMerged] = useState<ReadonlyMap<string, unknown>>(new Map());
  const { id, operations } = edit;
  const close = (change: Parameters<typeof enqueue>[0]) => {
    enqueue(change);
    onClose();
  };
  const keepMine = (queue: Parameters<typeof keptMine>[0]) =>
    keptMine(queue, id, merged, rows ? freeIds(rows, queue) : undefined);
  const words = wordsOf(edit, conflicts, merged.size > 0);
  return (
    <Dialog
      open
      onClose={onClose}
      wide={conflicts.some(({ clashes }) => clashes.length > 0)}
      title={words.title}
      footer={
        <>
          <Button onClick={onClose}>Decide later</Button>
          <Button onClick={() => close((queue) => tookTheirs(queue, id))}>{words.theirs}</Button>
          <Button kind="main" onClick={() => close(keepMine)}>
            {words.mine}
          </Button>
        </>
      }
    >
      {conflicts.length > 1 && (
        <p>
          <strong>{sayEdit(edit, rows)}</strong> is not saved yet: {conflicts.length} of its{' '}
          {operations.length} changes conflict with changes by others. It is saved as a whole once you have
          decided.
        </p>
      )}
      {conflicts.map((conflict) => {
        const operation = operations[conflict.index];
        return (
          operation && (
            <Fragment key={conflict.index}>
              <p>
                {story(conflict, operation)} <strong>{sayOperation(operation, rows)}</strong> is yours, and is
                not saved yet.
                {conflict.why === 'deleted' &&
                  ' What hung on it, such as relationships, does not come back with it.'}
              </p>
              {conflict.clashes.map((clash) => {
                const key = choiceKey(conflict, clash.field);
                return (
                  <Sides
                    key={key}
                    clash={clash}
                    theirName={conflict.by?.displayName ?? 'Somebody else'}
                    merged={merged.get(key)}
                    onMerge={(text) => setMerged(new Map(merged).set(key, text))}
                  />
                );
              })}
            </Fragment>
          )
        );
      })}
    </Dialog>
  );
}

/** What the buttons do, in words: of one conflict, or of several at once. */
function wordsOf({ operations }: Edit, conflicts: readonly Conflict[], isMerged: boolean) {
  const [first] = conflicts;
  const isAlone = conflicts.length === 1;
  const isGone = isAlone && first?.why === 'deleted';
  const isDelete = isAlone && first !== undefined && operations[first.index]?.op === 'delete';
  if (isGone) {
    return {
      title: 'It was deleted while you changed it',
      theirs: 'Leave it deleted',
      mine: 'Bring it back with my change',
    };
  }
  return {
    title: 'Somebody else was faster',
    theirs: isDelete ? 'Keep it' : 'Take theirs',
    mine: isDelete ? 'Delete it' : isMerged ? 'Save as merged' : 'Keep mine',
  };
}

function story(conflict: Conflict, operation: Operation): string {
  const by = conflict.by?.displayName ?? 'Somebody else';
  const when = conflict.at ? ` on ${moment(conflict.at)}` : '';
  if (conflict.why === 'deleted') return `${by} deleted it${when}.`;
  if (conflict.why === 'taken') return `${by} used the same id${when}. Yours gets another.`;
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
