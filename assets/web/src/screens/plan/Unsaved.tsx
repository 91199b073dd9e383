/** Everything that is not on the server yet, in the order in which it was done, and what can be done about it. */
import { discarded, idLike, retried, underId } from '@/core/sync/decide';
import { heldUp, needsYou, type Pending, unsaved } from '@/core/sync/queue';
import { sayOperation } from '@/core/sync/words';
import { enqueue, usePlan } from '@/plan/store';
import { Button } from '@/ui/Button';
import { say } from '@/ui/Toasts';
import styles from './plan.module.css';

export function Unsaved({ onDecide }: { onDecide: (key: string) => void }) {
  const queue = usePlan((plan) => plan.queue);
  const isAway = usePlan((plan) => plan.connection === 'away' || plan.isHeldUp);
  const left = unsaved(queue);
  const held = heldUp(queue);
  if (left.length === 0) {
    return (
      <p className={styles.soft}>
        {isAway
          ? 'The server cannot be reached at the moment. What you do now is kept in this browser and sent as soon as it is back.'
          : 'Everything you did is on the server. What cannot be saved at once is kept in this browser and listed here.'}
      </p>
    );
  }
  return (
    <>
      {isAway && (
        <p className={styles.soft}>
          The server cannot be reached. This is kept in this browser, also when you close it, and sent in this
          order as soon as the server is back.
        </p>
      )}
      <ol className={styles.list}>
        {left.map((pending) => (
          <Entry key={pending.key} pending={pending} isHeld={held.has(pending.key)} onDecide={onDecide} />
        ))}
      </ol>
    </>
  );
}

interface EntryProps {
  pending: Pending;
  /** It waits for a decision about another. */
  isHeld: boolean;
  onDecide: (key: string) => void;
}

function Entry({ pending, isHeld, onDecide }: EntryProps) {
  const rows = usePlan((plan) => plan.told);
  const { key, operation } = pending;
  return (
    <li className={styles.entry} data-stuck={needsYou(pending) || undefined}>
      <span className={styles.what}>{sayOperation(operation, rows)}</span>
      <span className={styles.soft}>
        {isHeld && pending.state === 'waiting' ? 'Waits for your decision above' : stateOf(pending)}
      </span>
      {needsYou(pending) && (
        <span className={styles.buttons}>
          <Button onClick={() => discard(pending)}>Discard</Button>
          {pending.state === 'refused' && (
            <Button kind="main" onClick={() => enqueue((queue) => retried(queue, key))}>
              Try again
            </Button>
          )}
          {pending.conflict && pending.conflict.why !== 'taken' && (
            <Button kind="main" onClick={() => onDecide(key)}>
              Decide …
            </Button>
          )}
          {pending.conflict?.why === 'taken' && <OtherId pending={pending} />}
        </span>
      )}
    </li>
  );
}

function OtherId({ pending: { key, operation } }: { pending: Pending }) {
  const { told, queue } = usePlan.getState();
  if (operation.op !== 'create' || !told) return null;
  const id = idLike(told, queue, operation.kind, operation.id);
  return (
    <Button kind="main" onClick={() => enqueue((now) => underId(now, key, id))}>
      Add it as {id}
    </Button>
  );
}

/** Lets go of one and of what hangs on it, with a way back. */
function discard({ key }: Pending): void {
  const before = usePlan.getState().queue;
  const left = new Set(discarded(before, key).map((pending) => pending.key));
  const gone = before.filter((pending) => !left.has(pending.key));
  enqueue((queue) => discarded(queue, key));
  const putBack = () => enqueue((queue) => [...queue, ...gone].sort((one, other) => one.at - other.at));
  const others = gone.length - 1;
  say(others > 0 ? `Discarded, with ${others} that hung on it` : 'Discarded', {
    label: 'Undo',
    run: putBack,
  });
}

function stateOf({ state, problem, conflict, operation }: Pending): string {
  const by = conflict?.by?.displayName ?? 'somebody else';
  if (state === 'sending') return 'Is being saved';
  if (state === 'waiting') return 'Waits to be saved';
  if (state === 'refused') return problem ?? 'Was refused';
  if (conflict?.why === 'taken') {
    return `The id “${'id' in operation ? operation.id : ''}” is taken: ${by} has used it for another.`;
  }
  if (conflict?.why === 'deleted') return `It was deleted by ${by}.`;
  return `It was changed by ${by} in the meantime.`;
}
