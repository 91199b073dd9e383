/**
 * The open workspace: its server state, the queue of local edits, and the result of both. Screens read `rows` and call
 * `edit`.
 */
import { create } from 'zustand';
import { type Change, listPeople, listTeams, type Presence } from '@/api/generated';
import { useSession } from '@/api/session';
import { MAX_OPERATIONS } from '@/core/limits';
import { newId } from '@/core/newId';
import { applyChanges, hasNoName, type ReaderFields, withHolderNames } from '@/core/sync/applyChanges';
import { editTarget } from '@/core/sync/editTarget';
import { compactOperations, type Operation, replaceId } from '@/core/sync/operation';
import { applyQueue, dropSettled, type Edit, type Queue, seenPositions } from '@/core/sync/queue';
import type { Rows } from '@/core/sync/rows';
import { showToast } from '@/ui/Toasts';
import { flushPendingInputs, outboxOf, whenEditSaved, whenQueueChanges } from './outboxes';
import { loadUndoStacks, saveUndoStacks, type UndoStep, withChangeSet } from './undoStack';

/** The state of the connection to the server. */
export type Connection = 'connecting' | 'live' | 'away';

export interface WorkspaceState {
  workspaceId: string;
  /** `loading` until the bundle is loaded; `missing` if the workspace does not exist for this user. */
  status: 'loading' | 'ready' | 'missing' | 'failed';
  problem: string;
  serverRows: Rows | null;
  queue: Queue;
  /** Whether the last request failed to reach the server. */
  isStalled: boolean;
  /** The past state being viewed; it is read-only. */
  past: Rows | null;
  /** The displayed rows: a past state, or `serverRows` with the queue applied. */
  rows: Rows | null;
  connection: Connection;
  /** Other people in the workspace. */
  present: readonly Presence[];
  /** The undo stack of this window, latest entry last. */
  done: readonly UndoStep[];
  /** The redo stack. */
  undone: readonly UndoStep[];
}

const CLOSED: WorkspaceState = {
  workspaceId: '',
  status: 'loading',
  problem: '',
  serverRows: null,
  queue: [],
  isStalled: false,
  past: null,
  rows: null,
  connection: 'connecting',
  present: [],
  done: [],
  undone: [],
};

/** The workspace that is open in this window. */
export const useWorkspace = create<WorkspaceState>()(() => CLOSED);

/** Opens another workspace, with only the queue initially. */
export function resetWorkspace(workspaceId: string): void {
  const { user } = useSession.getState();
  const outbox = outboxOf(workspaceId);
  useWorkspace.setState({
    ...CLOSED,
    workspaceId,
    queue: outbox?.queue ?? [],
    isStalled: outbox?.isStalled ?? false,
    ...loadUndoStacks(user?.id, workspaceId),
  });
}

/** Applies the server state and removes queue entries that it includes. */
export function setServerRows(serverRows: Rows): void {
  const before = useWorkspace.getState().serverRows?.incarnation;
  // After a restore, change set IDs may be missing or refer to different change sets.
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

/** Applies new values of fields of the workspace that depend on the current user. */
export function setReaderFields(workspaceId: string, fields: Partial<ReaderFields>): void {
  const { serverRows, workspaceId: open } = useWorkspace.getState();
  if (!serverRows || open !== workspaceId) return;
  setServerRows({ ...serverRows, workspace: { ...serverRows.workspace, ...fields } });
}

/** Applies changes in order. */
export function applyServerChanges(changes: readonly Change[]): void {
  const { serverRows } = useWorkspace.getState();
  if (!serverRows) return;
  const next = applyChanges(serverRows, changes);
  if (next !== serverRows) setServerRows(next);
  if (changes.some(({ entity, row }) => entity === 'stakeholder' && row)) void nameHolders();
}

/**
 * Changes refer to people and teams only by ID. Looks up unknown IDs in the directory. If that fails, IDs are shown
 * until the workspace is reloaded.
 */
async function nameHolders(): Promise<void> {
  const { workspaceId } = useWorkspace.getState();
  if (![...(useWorkspace.getState().serverRows?.stakeholder.values() ?? [])].some(hasNoName)) return;
  const [people, teams] = await Promise.all([listPeople(), listTeams()]).catch(() => []);
  const { serverRows, workspaceId: open } = useWorkspace.getState();
  if (!people || !teams || !serverRows || open !== workspaceId) return;
  setServerRows(withHolderNames(serverRows, people.people, teams.teams));
}

/** Changes the queue and sends it. */
export function updateQueue(change: (queue: Queue) => Queue): void {
  outboxOf(useWorkspace.getState().workspaceId)?.change(change);
}

/** Shows a past state; null returns to the current one. */
export function showPastState(past: Rows | null): void {
  // Pending input belongs to the current state, because past states are read-only.
  if (past && !useWorkspace.getState().past) flushPendingInputs();
  // Past states are read-only, so treat all users as viewers.
  useWorkspace.setState({ past: past && { ...past, workspace: { ...past.workspace, myRole: 'viewer' } } });
  refresh();
}

function refresh(): void {
  const { serverRows, queue, past, rows } = useWorkspace.getState();
  const next = past ?? (serverRows ? applyQueue(serverRows, queue) : null);
  if (next !== rows) useWorkspace.setState({ rows: next });
}

whenQueueChanges((workspaceId, changed, isStalled) => {
  const { serverRows, workspaceId: open } = useWorkspace.getState();
  if (workspaceId !== open) return;
  const queue = serverRows ? dropSettled(changed, serverRows) : changed;
  useWorkspace.setState({ queue, isStalled });
  if (queue !== changed) updateQueue(() => queue);
  else refresh();
});

useWorkspace.subscribe((state, before) => {
  if (state.done === before.done && state.undone === before.undone) return;
  if (state.workspaceId === before.workspaceId) saveUndoStacks(useSession.getState().user?.id, state);
});

/** The change sets of the edits that this window has saved. */
const savedEdits = new Map<string, string>();

/** The change set of an edit of this window; undefined if it is not saved. */
export function changeSetOf(id: string): string | undefined {
  return savedEdits.get(id);
}

whenEditSaved(({ userId, workspaceId }, { id }, { changeSetId, refs }) => {
  if (changeSetId) savedEdits.set(id, changeSetId);
  const isOpen =
    useWorkspace.getState().workspaceId === workspaceId && useSession.getState().user?.id === userId;
  const steps = isOpen
    ? useWorkspace.getState()
    : { done: [], undone: [], ...loadUndoStacks(userId, workspaceId) };
  const { done, undone } = withChangeSet(steps, id, changeSetId);
  const next = { done: renumbered(done, refs), undone: renumbered(undone, refs) };
  if (isOpen) useWorkspace.setState(next);
  else saveUndoStacks(userId, { ...next, workspaceId });
});

/** Redo entries may refer to rows whose IDs the server has changed. */
function renumbered(steps: readonly UndoStep[], refs: Readonly<Record<string, string>>): readonly UndoStep[] {
  const pairs = Object.entries(refs);
  if (pairs.length === 0) return steps;
  const renamed = (operation: Operation) =>
    pairs.reduce((renamed, [from, to]) => replaceId(renamed, 'stakeholder', from, to), operation);
  return steps.map((step) =>
    step.operations ? { ...step, operations: step.operations.map(renamed) } : step,
  );
}

/**
 * Makes an edit. It is shown immediately and saved when the server is reachable. All operations of a call are one edit:
 * one request, one change set, one undo step. Returns the ID of the edit.
 */
export function edit(label: string, operations: readonly Operation[]): string {
  const id = newId();
  if (operations.length === 0) return id;
  const { past, rows, serverRows } = useWorkspace.getState();
  if (past) {
    showToast('This is a past version of the map. Go back to the current version to edit it.');
    return id;
  }
  const edits = splitIntoEdits(id, label, compactOperations(operations), serverRows?.incarnation).map(
    (edit): Edit => {
      const seen = seenPositions(edit.operations, rows);
      return seen ? { ...edit, seen } : edit;
    },
  );
  updateQueue((queue) => [...queue, ...edits]);
  useWorkspace.setState(({ done }) => ({
    done: [...done, ...edits.map(undoStepOf)],
    undone: [],
  }));
  return edits.at(-1)?.id ?? id;
}

function undoStepOf({ id, label, operations }: Edit): UndoStep {
  return { id, label, target: editTarget(operations) };
}

/** Returns one edit, or several if there are more operations than allowed per request. */
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

/** Adds an undo step for a write that bypassed the queue. */
export function recordUndoStep(step: UndoStep): void {
  useWorkspace.setState(({ done }) => ({ done: [...done, step], undone: [] }));
}
