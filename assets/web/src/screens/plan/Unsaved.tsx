/** All edits that are not on the server yet, in order, with their actions. */

import { applied, discarded, freeIds, retried, takenBy, underOtherIds } from '@/core/sync/decide';
import { type Edit, heldUp, needsYou, unsaved } from '@/core/sync/queue';
import { sayEdit } from '@/core/sync/words';
import { counted } from '@/core/words';
import { enqueue, usePlan } from '@/plan/store';
import { Button } from '@/ui/Button';
import { say } from '@/ui/Toasts';
import { Outdated } from './Outdated';
import styles from './plan.module.css';

export function Unsaved({ onDecide }: { onDecide: (id: string) => void }) {
  const queue = usePlan((plan) => plan.queue);
  const isAway = usePlan((plan) => plan.connection === 'away' || plan.isHeldUp);
  const left = unsaved(queue);
  const held = heldUp(queue);
  const outdated = left.filter(({ state }) => state === 'outdated');
  const current = left.filter(({ state }) => state !== 'outdated');
  if (left.length === 0) {
    return (
      <p className={styles.soft}>
        {isAway
          ? 'The server is unreachable. New changes are saved in this browser and sent when the connection is back.'
          : 'All changes are on the server. Changes that can’t be sent immediately are saved in this browser and listed here.'}
      </p>
    );
  }
  return (
    <>
      {isAway && (
        <p className={styles.soft}>
          The server is unreachable. These changes are saved in this browser, even if you close it, and are
          sent in this order when the connection is back.
        </p>
      )}
      {current.length > 0 && (
        <ol className={styles.list}>
          {current.map((edit) => (
            <Entry key={edit.id} edit={edit} isHeld={held.has(edit.id)} onDecide={onDecide} />
          ))}
        </ol>
      )}
      {outdated.length > 0 && <Outdated edits={outdated} onApply={applyAnyway} onDiscard={discard} />}
    </>
  );
}

interface EntryProps {
  edit: Edit;
  /** Whether the edit is blocked by a conflict of another. */
  isHeld: boolean;
  onDecide: (id: string) => void;
}

function Entry({ edit, isHeld, onDecide }: EntryProps) {
  const rows = usePlan((plan) => plan.told);
  const { id, state, conflicts = [] } = edit;
  const isTaken = conflicts.length > 0 && conflicts.every(({ why }) => why === 'taken');
  return (
    <li className={styles.entry} data-stuck={needsYou(edit) || undefined}>
      <span className={styles.what}>{sayEdit(edit, rows)}</span>
      <span className={styles.soft}>
        {isHeld && state === 'waiting' ? 'Blocked by the conflict above' : stateOf(edit)}
      </span>
      {needsYou(edit) && (
        <span className={styles.buttons}>
          <Button onClick={() => discard(edit)}>Discard</Button>
          {state === 'refused' && (
            <Button kind="main" onClick={() => enqueue((queue) => retried(queue, id))}>
              Try again
            </Button>
          )}
          {state === 'conflict' && !isTaken && (
            <Button kind="main" onClick={() => onDecide(id)}>
              Resolve…
            </Button>
          )}
          {state === 'conflict' && isTaken && <OtherIds edit={edit} />}
        </span>
      )}
    </li>
  );
}

function OtherIds({ edit }: { edit: Edit }) {
  const { told, queue } = usePlan.getState();
  const [first, ...others] = takenBy(edit);
  if (!first || !told) return null;
  const rename = () => enqueue((now) => underOtherIds(now, edit.id, freeIds(told, now)));
  return (
    <Button kind="main" onClick={rename}>
      {others.length > 0 ? 'Add with new ids' : `Add as ${freeIds(told, queue)(first)}`}
    </Button>
  );
}

/** Sends an edit from before a restore to the current server. */
function applyAnyway({ id }: Edit): void {
  const { told } = usePlan.getState();
  if (told) enqueue((queue) => applied(queue, id, told));
}

/** Discards an edit and the edits that depend on it, with Undo. */
function discard({ id }: Edit): void {
  const before = usePlan.getState().queue;
  const after = new Map(discarded(before, id).map((edit) => [edit.id, edit]));
  const changed = before.filter((edit) => after.get(edit.id) !== edit);
  enqueue((queue) => discarded(queue, id));
  const putBack = () =>
    enqueue((queue) => {
      const known = new Map(queue.map((edit) => [edit.id, edit]));
      // An edit that lost only some operations may have been sent since.
      const back = changed.filter((edit) => !after.has(edit.id) || known.get(edit.id)?.state === 'waiting');
      const ids = new Set(back.map((edit) => edit.id));
      return [...queue.filter((edit) => !ids.has(edit.id)), ...back].sort((one, other) => one.at - other.at);
    });
  const others = changed.length - 1;
  say(others > 0 ? `Discarded, with ${counted(others, 'dependent change')}` : 'Discarded', {
    label: 'Undo',
    run: putBack,
  });
}

function stateOf({ state, problem, conflicts = [], operations }: Edit): string {
  if (state === 'sending') return 'Saving';
  if (state === 'waiting') return 'Waiting to sync';
  if (state === 'refused') return problem ?? 'Rejected by the server';
  const [conflict] = conflicts;
  const by = conflict?.by?.displayName ?? 'someone else';
  if (conflicts.length > 1)
    return `${conflicts.length} of its ${operations.length} changes conflict with changes by others.`;
  if (conflict?.why === 'taken') {
    const operation = operations[conflict.index];
    return `The id “${operation && 'id' in operation ? operation.id : ''}” is already in use: ${by} created another item with it.`;
  }
  if (conflict?.why === 'deleted') return `Deleted by ${by}.`;
  return `Changed by ${by} in the meantime.`;
}
