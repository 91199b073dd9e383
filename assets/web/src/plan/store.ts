/**
 * The open workspace: its server state, the queue of local edits, and both combined. Screens read `rows` and call
 * `edit`; everything else follows from these.
 */
import { create } from 'zustand';
import type { Change, Presence } from '@/api/generated';
import { listPeople, listTeams } from '@/api/generated';
import { useSession } from '@/api/session';
import { changedAll, isNameless, named } from '@/core/sync/change';
import { newId } from '@/core/sync/id';
import { compact, type Operation, withOtherId } from '@/core/sync/operation';
import { type Edit, type Queue, settled, shown } from '@/core/sync/queue';
import { MAX_OPERATIONS } from '@/core/sync/request';
import type { Rows } from '@/core/sync/rows';
import { say } from '@/ui/Toasts';
import { handOver, outboxOf, whenEditSaved, whenQueueChanges } from './outboxes';
import { keepSteps, keptSteps, type Step, withChangeSet } from './steps';

/** The state of the connection to the server. */
export type Connection = 'connecting' | 'live' | 'away';

export interface Plan {
  workspaceId: string;
  /** `loading` until the bundle is loaded; `missing` if the workspace does not exist for this user. */
  status: 'loading' | 'ready' | 'missing' | 'failed';
  problem: string;
  told: Rows | null;
  queue: Queue;
  /** Whether the last request failed to reach the server. */
  isHeldUp: boolean;
  /** The past state being viewed; it is read-only. */
  past: Rows | null;
  /** The rows shown: the past state, or `told` with the queue applied. */
  rows: Rows | null;
  connection: Connection;
  /** Other people in the workspace. */
  present: readonly Presence[];
  /** The undo stack of this window, latest last. */
  done: readonly Step[];
  /** The redo stack. */
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

/** Opens another workspace, of which only the queue is known at first. */
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

/** Applies the server state and drops queue entries that it includes. */
export function tell(told: Rows): void {
  const before = usePlan.getState().told?.incarnation;
  // Change sets from before a restore may not exist any more or may be different ones.
  const isRestored = before && told.incarnation && before !== told.incarnation;
  usePlan.setState({ told, status: 'ready', problem: '', ...(isRestored ? { done: [], undone: [] } : {}) });
  const { queue } = usePlan.getState();
  if (settled(queue, told) === queue) show();
  else enqueue((now) => settled(now, told));
}

/** Applies changes in order. */
export function tellChanges(changes: readonly Change[]): void {
  const { told } = usePlan.getState();
  if (!told) return;
  const next = changedAll(told, changes);
  if (next !== told) tell(next);
  if (changes.some(({ entity, row }) => entity === 'stakeholder' && row)) void nameHolders();
}

/**
 * A change refers to people and teams by id only. Unknown ids are looked up in the directory; if that fails, ids are
 * shown until the workspace is loaded again.
 */
async function nameHolders(): Promise<void> {
  const { workspaceId } = usePlan.getState();
  if (![...(usePlan.getState().told?.stakeholder.values() ?? [])].some(isNameless)) return;
  const [people, teams] = await Promise.all([listPeople(), listTeams()]).catch(() => []);
  const { told, workspaceId: open } = usePlan.getState();
  if (!people || !teams || !told || open !== workspaceId) return;
  tell(named(told, people.people, teams.teams));
}

/** Changes the queue and sends it. */
export function enqueue(change: (queue: Queue) => Queue): void {
  outboxOf(usePlan.getState().workspaceId)?.change(change);
}

/** Shows a past state; null returns to the current one. */
export function showPast(past: Rows | null): void {
  // Pending input belongs to the current state, because past states are read-only.
  if (past && !usePlan.getState().past) handOver();
  // In a past state every user is a viewer, so screens offer no edits.
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

/** Edits that this window has saved, by the id that undo needs. */
const savedEdits = new Map<string, Pick<Step, 'changeSetId' | 'batch'>>();

/** The id by which undo knows an edit of this window; undefined if it is not saved. */
export function savedEdit(id: string): Pick<Step, 'changeSetId' | 'batch'> | undefined {
  return savedEdits.get(id);
}

whenEditSaved(({ userId, workspaceId }, { id }, { changeSetId, batch, refs }) => {
  if (changeSetId || batch) savedEdits.set(id, { changeSetId, batch });
  const isOpen = usePlan.getState().workspaceId === workspaceId && useSession.getState().user?.id === userId;
  const steps = isOpen ? usePlan.getState() : { done: [], undone: [], ...keptSteps(userId, workspaceId) };
  const { done, undone } = withChangeSet(steps, id, { changeSetId, batch });
  const next = { done: renumbered(done, refs), undone: renumbered(undone, refs) };
  if (isOpen) usePlan.setState(next);
  else keepSteps(userId, { ...next, workspaceId });
});

/** Redo entries may refer to rows whose ids the server has changed. */
function renumbered(steps: readonly Step[], refs: Readonly<Record<string, string>>): readonly Step[] {
  const pairs = Object.entries(refs);
  if (pairs.length === 0) return steps;
  const renamed = (operation: Operation) =>
    pairs.reduce((one, [from, to]) => withOtherId(one, 'stakeholder', from, to), operation);
  return steps.map((step) =>
    step.operations ? { ...step, operations: step.operations.map(renamed) } : step,
  );
}

/**
 * Makes an edit: shown immediately and saved when the server is reachable. All operations of a call are one edit: one
 * request, one change set, one undo step. Returns the id of the edit.
 */
export function edit(label: string, operations: readonly Operation[]): string {
  const id = newId();
  if (operations.length === 0) return id;
  const { past, told } = usePlan.getState();
  if (past) {
    say('This is a past version of the map. Go back to the current version to edit it.');
    return id;
  }
  const edits = editsOf(id, label, compact(operations), told?.incarnation);
  enqueue((queue) => [...queue, ...edits]);
  usePlan.setState(({ done }) => ({
    done: [...done, ...edits.map((one): Step => ({ id: one.id, label: one.label }))],
    undone: [],
  }));
  return edits.at(-1)?.id ?? id;
}

/** One edit, or several if there are more operations than a request may have. */
function editsOf(
  id: string,
  label: string,
  operations: readonly Operation[],
  incarnation: string | undefined,
): Edit[] {
  const count = Math.ceil(operations.length / MAX_OPERATIONS);
  return Array.from({ length: count }, (_, at) => ({
    id: at === 0 ? id : newId(),
    key: newId(),
    label: count > 1 ? `${label} (${at + 1} of ${count})` : label,
    operations: operations.slice(at * MAX_OPERATIONS, (at + 1) * MAX_OPERATIONS),
    state: 'waiting',
    at: Date.now(),
    incarnation,
  }));
}

/** Adds a write that bypassed the queue to the undo stack. */
export function recordStep(step: Step): void {
  usePlan.setState(({ done }) => ({ done: [...done, step], undone: [] }));
}
