/** All edits that are not saved on the server, in order, with actions. */

import { toSentence } from '@/api/errors';
import { useStandby } from '@/api/standby';
import { isProtectedEdit } from '@/core/drafts/movedEdits';
import { describeEdit } from '@/core/sync/describe';
import { blockedEdits, type Edit, needsDecision, unsavedEdits } from '@/core/sync/queue';
import {
  applyOutdatedEdit,
  conflictingCreations,
  discardEdit,
  freeIds,
  retryEdit,
  withNewIds,
} from '@/core/sync/resolve';
import { formatCount } from '@/core/text';
import { Button } from '@/ui/Button';
import { showToast } from '@/ui/Toasts';
import { continueInDraft } from '@/workspace/protectedEdits';
import { updateQueue, useWorkspace } from '@/workspace/store';
import { OutdatedEdits } from './OutdatedEdits';
import styles from './workspace.module.css';

export function UnsavedEdits({ onDecide }: { onDecide: (id: string) => void }) {
  const queue = useWorkspace((state) => state.queue);
  const isOffline = useWorkspace((state) => state.connection === 'away' || state.isStalled);
  const standby = useStandby((state) => state.message);
  const why = standby ? toSentence(standby) : 'The server is unreachable.';
  const until = standby ? 'when a server accepts changes' : 'when the connection is back';
  const left = unsavedEdits(queue);
  const blocked = blockedEdits(queue);
  const outdated = left.filter(({ state }) => state === 'outdated');
  const current = left.filter(({ state }) => state !== 'outdated');
  if (left.length === 0) {
    return (
      <p className={styles.soft}>
        {isOffline || standby
          ? `${why} New changes are saved in this browser and sent ${until}.`
          : 'All changes are on the server. Changes that can’t be sent immediately are saved in this browser and listed here.'}
      </p>
    );
  }
  return (
    <>
      {(isOffline || standby) && (
        <p className={styles.soft}>
          {why} These changes are saved in this browser, even if you close it, and are sent in this order{' '}
          {until}.
        </p>
      )}
      {current.length > 0 && (
        <ol className={styles.list}>
          {current.map((edit) => (
            <Entry key={edit.id} edit={edit} isBlocked={blocked.has(edit.id)} onDecide={onDecide} />
          ))}
        </ol>
      )}
      {outdated.length > 0 && <OutdatedEdits edits={outdated} onApply={applyAnyway} onDiscard={discard} />}
    </>
  );
}

interface EntryProps {
  edit: Edit;
  /** Whether the edit is blocked by a conflict of another edit. */
  isBlocked: boolean;
  onDecide: (id: string) => void;
}

function Entry({ edit, isBlocked, onDecide }: EntryProps) {
  const rows = useWorkspace((state) => state.serverRows);
  const { id, state, conflicts = [] } = edit;
  const isTaken = conflicts.length > 0 && conflicts.every(({ why }) => why === 'taken');
  return (
    <li className={styles.entry} data-stuck={needsDecision(edit) || undefined}>
      <span className={styles.summary}>{describeEdit(edit, rows)}</span>
      <span className={styles.soft}>
        {isBlocked && state === 'waiting' ? 'Blocked by the conflict above' : stateOf(edit)}
      </span>
      {needsDecision(edit) && (
        <span className={styles.buttons}>
          <Button onClick={() => discard(edit)}>Discard</Button>
          {isProtectedEdit(edit) && (
            <Button kind="main" onClick={continueInDraft}>
              Continue in draft
            </Button>
          )}
          {state === 'refused' && !isProtectedEdit(edit) && (
            <Button kind="main" onClick={() => updateQueue((queue) => retryEdit(queue, id))}>
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
  const { serverRows, queue } = useWorkspace.getState();
  const [first, ...others] = conflictingCreations(edit);
  if (!first || !serverRows) return null;
  const rename = () => updateQueue((now) => withNewIds(now, edit.id, freeIds(serverRows, now)));
  return (
    <Button kind="main" onClick={rename}>
      {others.length > 0 ? 'Add with new ids' : `Add as ${freeIds(serverRows, queue)(first)}`}
    </Button>
  );
}

/** Sends an outdated edit to the current server. */
function applyAnyway({ id }: Edit): void {
  const { serverRows } = useWorkspace.getState();
  if (serverRows) updateQueue((queue) => applyOutdatedEdit(queue, id, serverRows));
}

/** Discards an edit and the edits that depend on it, with Undo. */
function discard({ id }: Edit): void {
  const before = useWorkspace.getState().queue;
  const after = new Map(discardEdit(before, id).map((edit) => [edit.id, edit]));
  const changed = before.filter((edit) => after.get(edit.id) !== edit);
  updateQueue((queue) => discardEdit(queue, id));
  const putBack = () =>
    updateQueue((queue) => {
      const known = new Map(queue.map((edit) => [edit.id, edit]));
      // An edit that lost only some operations may have been sent in the meantime.
      const back = changed.filter((edit) => !after.has(edit.id) || known.get(edit.id)?.state === 'waiting');
      const ids = new Set(back.map((edit) => edit.id));
      return [...queue.filter((edit) => !ids.has(edit.id)), ...back].sort((a, b) => a.at - b.at);
    });
  const others = changed.length - 1;
  showToast(others > 0 ? `Discarded, with ${formatCount(others, 'dependent change')}` : 'Discarded', {
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
