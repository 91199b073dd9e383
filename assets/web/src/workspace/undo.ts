/** Undoes and redoes the edits of this window. */
import { ApiError } from '@/api/errors';
import { undo as request } from '@/api/generated';
import { needsDecision, removeEdit, updateEdit } from '@/core/sync/queue';
import { closeToast, showError, showToast } from '@/ui/Toasts';
import { applyPersonalChanges, changeWithEdit } from './personalUndo';
import { changeSetOf, edit, recordUndoStep, updateQueue, useWorkspace } from './store';
import type { UndoStep } from './undoStack';

/** Undoes the last edit. Returns it, or undefined if there is none. Throws `ApiError`. */
export async function undo(): Promise<UndoStep | undefined> {
  return inSequence(() => step('done', 'undone'));
}

/** Redoes the last undone edit. */
export async function redo(): Promise<UndoStep | undefined> {
  return inSequence(() => step('undone', 'done'));
}

/** Shows a toast with an Undo button for one edit, until the edit is undone. */
export function showUndoToast(text: string, id: string): void {
  showToast(text, { label: 'Undo', run: () => void undoEdit(id).catch(showUndoError) }, undoSubject(id));
}

function undoSubject(id: string): string {
  return `undo ${id}`;
}

/** Undoes an edit of this window, not necessarily the last one. Returns whether it was undone. */
export async function undoEdit(id: string): Promise<boolean> {
  return inSequence(async () => {
    const known = useWorkspace.getState().done.find((step) => step.id === id);
    return known ? (await undoStep(known, 'done', 'undone')) !== undefined : false;
  });
}

interface PastStep {
  changeSetId: string;
  label: string;
}

/**
 * Undoes one of the user's change sets from the history, made at any time and in any window. The undo can be redone.
 */
export async function undoPastChangeSet({ changeSetId, label }: PastStep): Promise<void> {
  const { done, workspaceId } = useWorkspace.getState();
  const known = done.find((step) => step.changeSetId === changeSetId);
  if (known) await undoEdit(known.id);
  else {
    const { changeSetId: id } = await request(workspaceId, { changeSetId });
    if (!id) {
      showToast('Nothing to undo: these changes cancel each other out');
      return;
    }
    recordUndoStep({ id, changeSetId: id, label: `Revert: ${label}` });
  }
  showToast('Undone', { label: 'Redo', run: () => void redoLast(label).catch(showUndoError) });
}

/** Redoes the last undone step, which is on one of the two stacks. */
async function redoLast(label: string): Promise<void> {
  const { undone } = useWorkspace.getState();
  await (undone.at(-1)?.label === label ? redo() : undo());
}

/** Explains why an undo failed, including the conflicting changes. */
export function showUndoError(error: unknown): void {
  showError(
    isUndoConflict(error)
      ? new Error(`Can’t undo: ${undoConflictMessage(error)}. No changes were made.`)
      : error,
  );
}

/** Whether the server rejected an undo because the affected rows have changed since. */
export function isUndoConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'changed_since';
}

/** Maximum number of changes listed in a message. */
const MAX_NAMED_CHANGES = 3;

/** Lists who made the later changes that prevent an undo. */
export function undoConflictMessage({ body, message }: ApiError): string {
  const changed = body.changed ?? [];
  if (changed.length === 0) return message;
  const named = changed.slice(0, MAX_NAMED_CHANGES).map(({ entity, name, id, why, changedBy }) => {
    const by = changedBy && !why.includes(changedBy.displayName) ? ` by ${changedBy.displayName}` : '';
    return `${entity} “${name || id}” ${why}${by}`.trim();
  });
  const more = changed.length - named.length;
  return `${named.join('; ')}${more > 0 ? `, and ${more} more` : ''}`;
}

/** Key presses that arrive faster than the server responds are processed in order. */
let last: Promise<unknown> = Promise.resolve();
let pending = 0;

function inSequence<T>(run: () => Promise<T>): Promise<T> {
  pending++;
  const turn = last.then(run, run).finally(() => {
    pending--;
  });
  last = turn.catch(() => {});
  return turn;
}

/** Whether an undo or redo waits for the server, so that there may soon be another step to undo or redo. */
export function isUndoPending(): boolean {
  return pending > 0;
}

type Stack = 'done' | 'undone';

async function step(from: Stack, to: Stack): Promise<UndoStep | undefined> {
  const { [from]: stack, past } = useWorkspace.getState();
  const entry = past ? undefined : stack.at(-1);
  return entry && undoStep(entry, from, to);
}

async function undoStep(entry: UndoStep, from: Stack, to: Stack): Promise<UndoStep | undefined> {
  const { label, target } = entry;
  closeToast(undoSubject(entry.id));
  const { workspaceId } = useWorkspace.getState();
  useWorkspace.setState((state) => ({ [from]: state[from].filter((step) => step !== entry) }));
  const put = (stack: Stack, step: UndoStep) => {
    if (useWorkspace.getState().workspaceId === workspaceId) {
      const { personal } = entry;
      const kept = stack === to && personal ? { ...step, personal: applyPersonalChanges(personal) } : step;
      useWorkspace.setState((state) => ({ [stack]: [...state[stack], kept] }));
    }
  };
  if (entry.isPersonal) {
    put(to, entry);
    return entry;
  }
  if (entry.operations) {
    redoStep(entry, put, to);
    return entry;
  }
  await whenSent(entry.id);
  const unsent = withdrawEdit(entry.id);
  if (unsent) {
    put(to, { id: entry.id, label, target, operations: unsent });
    return entry;
  }
  // The edit may have been saved in the meantime.
  const changeSetId = changeSetOf(entry.id) ?? entry.changeSetId;
  if (!changeSetId) {
    throw new Error(`“${label}” was saved by another window. Undo it from the history.`);
  }
  try {
    const { changeSetId: id } = await request(workspaceId, { batchId: changeSetId });
    // An undo that changes nothing cannot be redone.
    if (id) put(to, { id, changeSetId: id, label, target });
    return entry;
  } catch (error) {
    // Later changes by other users are kept, so a retry would fail again.
    if (!(error instanceof ApiError && (error.code === 'changed_since' || error.status === 404)))
      put(from, { ...entry, changeSetId });
    throw error;
  }
}

/** Redoes an edit that was undone before it reached the server. */
function redoStep(entry: UndoStep, put: (stack: Stack, step: UndoStep) => void, to: Stack): void {
  const cancelled = useWorkspace.getState().queue.find(({ id }) => id === entry.id);
  if (cancelled?.cancelled && !cancelled.changeSetId) {
    updateQueue((queue) => updateEdit(queue, entry.id, { cancelled: false }));
    put(to, { id: entry.id, label: entry.label, target: entry.target });
    return;
  }
  const { undone } = useWorkspace.getState();
  const id = edit(entry.label, entry.operations ?? []);
  changeWithEdit(id, entry.label, entry.personal ?? []);
  // Redoing a single edit leaves the rest of the redo stack unchanged.
  useWorkspace.setState({ undone });
}

/**
 * Removes an unsaved edit from the queue. If a request may have arrived without its response, the edit is canceled
 * instead: it is hidden now and undone when the server responds.
 */
function withdrawEdit(id: string) {
  const mine = useWorkspace.getState().queue.find((edit) => edit.id === id);
  if (!mine || (mine.state !== 'waiting' && !needsDecision(mine))) return undefined;
  const { attempted, operations } = mine;
  updateQueue((queue) => (attempted ? updateEdit(queue, id, { cancelled: true }) : removeEdit(queue, id)));
  return operations;
}

/** Waits until the edit is no longer being sent. */
function whenSent(id: string): Promise<void> {
  const isSending = () =>
    useWorkspace.getState().queue.some((edit) => edit.id === id && edit.state === 'sending');
  return until(() => !isSending());
}

function until(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (isSo()) return resolve();
    const stop = useWorkspace.subscribe(() => {
      if (!isSo()) return;
      stop();
      resolve();
    });
  });
}
