/**
 * The workspace that is open: what the server has told of it, what is on its way to the server, and how the two look
 * together. Screens read `rows` and call `edit`; everything else follows from these.
 */
import { create } from 'zustand';
import type { Change, Presence } from '@/api/generated';
import { listPeople, listTeams } from '@/api/generated';
import { useSession } from '@/api/session';
import { changedAll, isNameless, named } from '@/core/sync/change';
import { newId } from '@/core/sync/id';
import type { Gesture, Operation } from '@/core/sync/operation';
import { type Pending, type Queue, settled, shown } from '@/core/sync/queue';
import type { Rows } from '@/core/sync/rows';
import { say } from '@/ui/Toasts';
import { handOver, outboxOf, whenQueueChanges } from './outboxes';
import { keepSteps, keptSteps, type Step } from './steps';

/** How the connection to the server is. */
export type Connection = 'connecting' | 'live' | 'away';

export interface Plan {
  workspaceId: string;
  /** `loading` until the bundle is here; `missing` when there is no such workspace for this user. */
  status: 'loading' | 'ready' | 'missing' | 'failed';
  problem: string;
  told: Rows | null;
  queue: Queue;
  /** Whether the last thing that was sent did not get through. */
  isHeldUp: boolean;
  /** The workspace as it was, while somebody looks at that; nothing can be changed then. */
  past: Rows | null;
  /** What is shown: the past, or `told` with the queue over it. */
  rows: Rows | null;
  connection: Connection;
  /** Others who are here. */
  present: readonly Presence[];
  /** Batches that this window has done and not taken back, the last one at the end. */
  done: readonly Step[];
  /** Batches that took back something, to be taken back themselves. */
  undone: readonly Step[];
}

const CLOSED: Plan = {
  workspaceId: '',
  status: 'loading',
  problem: '',
  told: null,
  queue: [],
  isHeldUp: false,
  past: null,
  rows: null,
  connection: 'connecting',
  present: [],
  done: [],
  undone: [],
};

/** The workspace that is open in this window. */
export const usePlan = create<Plan>()(() => CLOSED);

/** Begins with another workspace, of which nothing is known yet but what waits to be saved. */
export function reset(workspaceId: string): void {
  const { user } = useSession.getState();
  const outbox = outboxOf(workspaceId);
  usePlan.setState({
    ...CLOSED,
    workspaceId,
    queue: outbox?.queue ?? [],
    isHeldUp: outbox?.isHeldUp ?? false,
    ...keptSteps(user?.id, workspaceId),
  });
}

/** Takes over what the server has told, and drops from the queue what that accounts for. */
export function tell(told: Rows): void {
  usePlan.setState({ told, status: 'ready', problem: '' });
  const { queue } = usePlan.getState();
  if (settled(queue, told) === queue) show();
  else enqueue((now) => settled(now, told));
}

/** Takes over changes, in their order. */
export function tellChanges(changes: readonly Change[]): void {
  const { told } = usePlan.getState();
  if (!told) return;
  const next = changedAll(told, changes);
  if (next !== told) tell(next);
  if (changes.some(({ entity, row }) => entity === 'stakeholder' && row)) void nameHolders();
}

/**
 * A change tells whom it attaches by id alone. Where nobody is known by it yet, the directory is asked for names; when
 * it does not answer, ids are shown until the workspace is read again.
 */
async function nameHolders(): Promise<void> {
  const { workspaceId } = usePlan.getState();
  if (![...(usePlan.getState().told?.stakeholder.values() ?? [])].some(isNameless)) return;
  const [people, teams] = await Promise.all([listPeople(), listTeams()]).catch(() => []);
  const { told, workspaceId: open } = usePlan.getState();
  if (!people || !teams || !told || open !== workspaceId) return;
  tell(named(told, people.people, teams.teams));
}

/** Changes the queue, and sends what is in it. */
export function enqueue(change: (queue: Queue) => Queue): void {
  outboxOf(usePlan.getState().workspaceId)?.change(change);
}

/** Shows a past state instead of the present one; null goes back to that. */
export function showPast(past: Rows | null): void {
  // What is held back is meant for the present; over a past state nothing can be written.
  if (past && !usePlan.getState().past) handOver();
  // Whatever one may do now, nobody changes what has been: screens offer nothing of the kind to a viewer.
  usePlan.setState({ past: past && { ...past, workspace: { ...past.workspace, myRole: 'viewer' } } });
  show();
}

function show(): void {
  const { told, queue, past, rows } = usePlan.getState();
  const next = past ?? (told ? shown(told, queue) : null);
  if (next !== rows) usePlan.setState({ rows: next });
}

whenQueueChanges((workspaceId, changed, isHeldUp) => {
  const { told, workspaceId: open } = usePlan.getState();
  if (workspaceId !== open) return;
  const queue = told ? settled(changed, told) : changed;
  usePlan.setState({ queue, isHeldUp });
  if (queue !== changed) enqueue(() => queue);
  else show();
});

usePlan.subscribe((plan, before) => {
  if (plan.done === before.done && plan.undone === before.undone) return;
  if (plan.workspaceId === before.workspaceId) keepSteps(useSession.getState().user?.id, plan);
});

/**
 * Does something: it is shown at once, and saved as soon as the server is there. All operations of one call are one
 * gesture: one entry of undo. Answers the batch that it is known by.
 */
export function edit(label: string, operations: readonly Operation[]): string {
  const gesture: Gesture = { id: newId(), label, operations };
  if (operations.length === 0) return gesture.id;
  if (usePlan.getState().past) {
    say('This is the map as it was. Go back to now to change it.');
    return gesture.id;
  }
  enqueue((queue) => [...queue, ...operations.map((operation) => pendingOf(gesture, operation))]);
  usePlan.setState(({ done }) => ({
    done: [...done, { batch: gesture.id, label, size: operations.length }],
    undone: [],
  }));
  return gesture.id;
}

/** Remembers something that was written beside the queue, so that it can be taken back. */
export function recordStep(step: Step): void {
  usePlan.setState(({ done }) => ({ done: [...done, step], undone: [] }));
}

function pendingOf({ id, label }: Gesture, operation: Operation): Pending {
  return { key: newId(), batch: id, label, operation, state: 'waiting', at: Date.now() };
}
