/**
 * The workspace that is open: what the server has told of it, what is on its way to the server, and how the two look
 * together. Screens read `rows` and call `edit`; everything else follows from these.
 */
import { create } from 'zustand';
import type { Change, Presence } from '@/api/generated';
import { listPeople, listTeams } from '@/api/generated';
import { useSession } from '@/api/session';
import { newId } from '@/core/newId';
import { applyChanges, hasNoName, withHolderNames } from '@/core/sync/applyChanges';
import { compactOperations, type Operation, replaceId } from '@/core/sync/operation';
import { applyQueue, dropSettled, type Edit, type Queue } from '@/core/sync/queue';
import { MAX_OPERATIONS } from '@/core/sync/request';
import type { Rows } from '@/core/sync/rows';
import { showToast } from '@/ui/Toasts';
import { flushPendingInputs, outboxOf, whenEditSaved, whenQueueChanges } from './outboxes';
import { loadUndoStacks, saveUndoStacks, type UndoStep, withChangeSet } from './undoStack';

/** How the connection to the server is. */
export type Connection = 'connecting' | 'live' | 'away';

export interface WorkspaceState {
  workspaceId: string;
  /** `loading` until the bundle is here; `missing` when there is no such workspace for this user. */
  status: 'loading' | 'ready' | 'missing' | 'failed';
  problem: string;
  serverRows: Rows | null;
  queue: Queue;
  /** Whether the last thing that was sent did not get through. */
  isHeldUp: boolean;
  /** The workspace as it was, while somebody looks at that; nothing can be changed then. */
  past: Rows | null;
  /** What is shown: a past state, or `serverRows` with the queue applied. */
  rows: Rows | null;
  connection: Connection;
  /** Others who are here. */
  present: readonly Presence[];
  /** What this window has done and not undone, the last one at the end. */
  done: readonly UndoStep[];
  /** What was undone, and can be redone. */
  undone: readonly UndoStep[];
}

const CLOSED: WorkspaceState = {
  workspaceId: '',
  status: 'loading',
  problem: '',
  serverRows: null,
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
export const useWorkspace = create<WorkspaceState>()(() => CLOSED);

/** Begins with another workspace, of which nothing is known yet but what waits to be saved. */
export function resetWorkspace(workspaceId: string): void {
  const { user } = useSession.getState();
  const outbox = outboxOf(workspaceId);
  useWorkspace.setState({
    ...CLOSED,
    workspaceId,
    queue: outbox?.queue ?? [],
    isHeldUp: outbox?.isHeldUp ?? false,
    ...loadUndoStacks(user?.id, workspaceId),
  });
}

/** Takes over what the server has told, and drops from the queue what that accounts for. */
export function setServerRows(serverRows: Rows): void {
  const before = useWorkspace.getState().serverRows?.incarnation;
  // The change sets of before a restore may not be there any more, or be others.
  const isRestored = before && serverRows.incarnation && before !== serverRows.incarnation;
  useWorkspace.setState({
    serverRows,
    status: 'ready',
    problem: '',
    ...(isRestored ? { done: [], undone: [] } : {}),
  });
  const { queue } = useWorkspace.getState();
  if (dropSettled(queue, serverRows) === queue) refresh();
  else updateQueue((now) => dropSettled(now, serverRows));
}

/** Takes over changes, in their order. */
export function applyServerChanges(changes: readonly Change[]): void {
  const { serverRows } = useWorkspace.getState();
  if (!serverRows) return;
  const next = applyChanges(serverRows, changes);
  if (next !== serverRows) setServerRows(next);
  if (changes.some(({ entity, row }) => entity === 'stakeholder' && row)) void nameHolders();
}

/**
 * A change tells whom it attaches by id alone. Where nobody is known by it yet, the directory is asked for names; when
 * it does not answer, ids are shown until the workspace is read again.
 */
async function nameHolders(): Promise<void> {
  const { workspaceId } = useWorkspace.getState();
  if (![...(useWorkspace.getState().serverRows?.stakeholder.values() ?? [])].some(hasNoName)) return;
  const [people, teams] = await Promise.all([listPeople(), listTeams()]).catch(() => []);
  const { serverRows, workspaceId: open } = useWorkspace.getState();
  if (!people || !teams || !serverRows || open !== workspaceId) return;
  setServerRows(withHolderNames(serverRows, people.people, teams.teams));
}

/** Changes the queue, and sends what is in it. */
export function updateQueue(change: (queue: Queue) => Queue): void {
  outboxOf(useWorkspace.getState().workspaceId)?.change(change);
}

/** Shows a past state instead of the present one; null goes back to that. */
export function showPastState(past: Rows | null): void {
  // What is held back is meant for the present; over a past state nothing can be written.
  if (past && !useWorkspace.getState().past) flushPendingInputs();
  // Whatever one may do now, nobody changes what has been: screens offer nothing of the kind to a viewer.
  useWorkspace.setState({ past: past && { ...past, workspace: { ...past.workspace, myRole: 'viewer' } } });
  refresh();
}

function refresh(): void {
  const { serverRows, queue, past, rows } = useWorkspace.getState();
  const next = past ?? (serverRows ? applyQueue(serverRows, queue) : null);
  if (next !== rows) useWorkspace.setState({ rows: next });
}

whenQueueChanges((workspaceId, changed, isHeldUp) => {
  const { serverRows, workspaceId: open } = useWorkspace.getState();
  if (workspaceId !== open) return;
  const queue = serverRows ? dropSettled(changed, serverRows) : changed;
  useWorkspace.setState({ queue, isHeldUp });
  if (queue !== changed) updateQueue(() => queue);
  else refresh();
});

useWorkspace.subscribe((state, before) => {
  if (state.done === before.done && state.undone === before.undone) return;
  if (state.workspaceId === before.workspaceId) saveUndoStacks(useSession.getState().user?.id, state);
});

/** The edits that this window has saved, by what undo knows them by. */
const savedEdits = new Map<string, Pick<UndoStep, 'changeSetId' | 'batch'>>();

/** What undo knows an edit of this window by; undefined if it is not saved. */
export function savedEdit(id: string): Pick<UndoStep, 'changeSetId' | 'batch'> | undefined {
  return savedEdits.get(id);
}

whenEditSaved(({ userId, workspaceId }, { id }, { changeSetId, batch, refs }) => {
  if (changeSetId || batch) savedEdits.set(id, { changeSetId, batch });
  const isOpen =
    useWorkspace.getState().workspaceId === workspaceId && useSession.getState().user?.id === userId;
  const steps = isOpen
    ? useWorkspace.getState()
    : { done: [], undone: [], ...loadUndoStacks(userId, workspaceId) };
  const { done, undone } = withChangeSet(steps, id, { changeSetId, batch });
  const next = { done: renumbered(done, refs), undone: renumbered(undone, refs) };
  if (isOpen) useWorkspace.setState(next);
  else saveUndoStacks(userId, { ...next, workspaceId });
});

/** What can be done again may refer to rows whose ids the server has chosen since. */
function renumbered(steps: readonly UndoStep[], refs: Readonly<Record<string, string>>): readonly UndoStep[] {
  const pairs = Object.entries(refs);
  if (pairs.length === 0) return steps;
  const renamed = (operation: Operation) =>
    pairs.reduce((one, [from, to]) => replaceId(one, 'stakeholder', from, to), operation);
  return steps.map((step) =>
    step.operations ? { ...step, operations: step.operations.map(renamed) } : step,
  );
}

/**
 * Does something: it is shown immediately, and saved as soon as the server is there. All operations of one call are one
 * edit: one request, one change set and one entry of undo. Returns the id of the edit.
 */
export function edit(label: string, operations: readonly Operation[]): string {
  const id = newId();
  if (operations.length === 0) return id;
  const { past, serverRows } = useWorkspace.getState();
  if (past) {
    showToast('This is the map as it was. Go back to now to change it.');
    return id;
  }
  const edits = splitIntoEdits(id, label, compactOperations(operations), serverRows?.incarnation);
  updateQueue((queue) => [...queue, ...edits]);
  useWorkspace.setState(({ done }) => ({
    done: [...done, ...edits.map((one): UndoStep => ({ id: one.id, label: one.label }))],
    undone: [],
  }));
  return edits.at(-1)?.id ?? id;
}

/** One edit, or as many as it takes where there are more operations than a request may have. */
function splitIntoEdits(
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

/** Remembers something that was written beside the queue, so that it can be undone. */
export function recordUndoStep(step: UndoStep): void {
  useWorkspace.setState(({ done }) => ({ done: [...done, step], undone: [] }));
}
