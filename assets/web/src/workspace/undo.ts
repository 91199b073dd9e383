/** Undoes and redoes the edits of this window. */
import { ApiError } from '@/api/errors';
import { undo as request, type Undo } from '@/api/generated';
import { needsDecision, removeEdit, updateEdit } from '@/core/sync/queue';
import { showError, showToast } from '@/ui/Toasts';
import { edit, recordUndoStep, savedEdit, updateQueue, useWorkspace } from './store';
import type { UndoStep } from './undoStack';

/** Undoes the last edit. Returns what it was; undefined when there is none. Throws `ApiError`. */
export async function undo(): Promise<string | undefined> {
  return inSequence(() => step('done', 'undone'));
}

/** Does again what was undone last. */
export async function redo(): Promise<string | undefined> {
  return inSequence(() => step('undone', 'done'));
}

/** Says what was done, with a way to undo just that. */
export function showUndoToast(text: string, id: string): void {
  showToast(text, { label: 'Undo', run: () => void undoEdit(id).catch(showUndoError) });
}

/** Undoes one edit of this window, the last or not. Returns whether it is undone. */
export async function undoEdit(id: string): Promise<boolean> {
  return inSequence(async () => {
    const known = useWorkspace.getState().done.find((one) => one.id === id);
    return known ? (await undoStep(known, 'done', 'undone')) !== undefined : false;
  });
}

interface PastStep {
  changeSetId: string;
  label: string;
}

/** Undoes one's own change set from the history, whenever and in whichever window it was made; it can be redone. */
export async function undoPastChangeSet({ changeSetId, label }: PastStep): Promise<void> {
  const { done, workspaceId } = useWorkspace.getState();
  const known = done.find((one) => one.changeSetId === changeSetId || one.batch === changeSetId);
  if (known) await undoEdit(known.id);
  else {
    const id = changeSetOf(await request(workspaceId, undoOf({ id: changeSetId, label, changeSetId })));
    recordUndoStep({ id, changeSetId: id, label: `Take back: ${label}` });
  }
  showToast('Taken back', { label: 'Redo', run: () => void redoLast(label).catch(showUndoError) });
}

/** Does again what was just undone: it is on one of the two stacks. */
async function redoLast(label: string): Promise<void> {
  const { undone } = useWorkspace.getState();
  await (undone.at(-1)?.label === label ? redo() : undo());
}

/** Tells that something could not be undone, and names what stands in the way. */
export function showUndoError(error: unknown): void {
  showError(
    isUndoRefusal(error)
      ? new Error(`This cannot be taken back any more: ${undoObstacles(error)}. Nothing was changed.`)
      : error,
  );
}

/** Whether the server refused an undo because what it would undo has changed since. */
export function isUndoRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'changed_since';
}

/** The most changes that one message names. */
const MAX_NAMED_CHANGES = 3;

/** What has changed since and by whom, of an undo that was refused. */
export function undoObstacles({ body, message }: ApiError): string {
  const changed = body.changed ?? [];
  if (changed.length === 0) return message;
  const named = changed.slice(0, MAX_NAMED_CHANGES).map(({ entity, name, id, why, changedBy }) => {
    const by = changedBy && !why.includes(changedBy.displayName) ? ` by ${changedBy.displayName}` : '';
    return `${entity} “${name || id}” ${why}${by}`.trim();
  });
  const more = changed.length - named.length;
  return named.join('; ') + (more > 0 ? `, and ${more} more` : '');
}

/** Key presses that come faster than the server answers are worked off in order. */
let last: Promise<unknown> = Promise.resolve();

function inSequence<T>(run: () => Promise<T>): Promise<T> {
  const turn = last.then(run, run);
  last = turn.catch(() => {});
  return turn;
}

type Stack = 'done' | 'undone';

async function step(from: Stack, to: Stack): Promise<string | undefined> {
  const { [from]: stack, past } = useWorkspace.getState();
  const entry = past ? undefined : stack.at(-1);
  return entry && undoStep(entry, from, to);
}

async function undoStep(entry: UndoStep, from: Stack, to: Stack): Promise<string | undefined> {
  const { workspaceId } = useWorkspace.getState();
  useWorkspace.setState((state) => ({ [from]: state[from].filter((one) => one !== entry) }));
  const put = (stack: Stack, step: UndoStep) => {
    if (useWorkspace.getState().workspaceId === workspaceId) {
      useWorkspace.setState((state) => ({ [stack]: [...state[stack], step] }));
    }
  };
  if (entry.operations) {
    redoStep(entry, put, to);
    return entry.label;
  }
  await whenSent(entry.id);
  const unsent = withdrawEdit(entry.id);
  if (unsent) {
    put(to, { id: entry.id, label: entry.label, operations: unsent });
    return entry.label;
  }
  // Its edit may have been saved meanwhile.
  const now = { ...entry, ...savedEdit(entry.id) };
  if (!now.changeSetId && !now.batch) {
    throw new Error(`“${entry.label}” was saved by another window. Undo it in the history.`);
  }
  try {
    const id = changeSetOf(await request(workspaceId, undoOf(now)));
    put(to, { id, changeSetId: id, label: entry.label });
    return entry.label;
  } catch (error) {
    // What others have changed since stays as it is: to try again would only say so again.
    if (!(error instanceof ApiError && (error.code === 'changed_since' || error.status === 404)))
      put(from, now);
    throw error;
  }
}

/** Does again what was undone before the server had it. */
function redoStep(entry: UndoStep, put: (stack: Stack, step: UndoStep) => void, to: Stack): void {
  const cancelled = useWorkspace.getState().queue.find(({ id }) => id === entry.id);
  if (cancelled?.cancelled && !cancelled.changeSetId && !cancelled.batch) {
    updateQueue((queue) => updateEdit(queue, entry.id, { cancelled: false }));
    put(to, { id: entry.id, label: entry.label });
    return;
  }
  const { undone } = useWorkspace.getState();
  edit(entry.label, entry.operations ?? []);
  // To do something again leaves what else was undone where it is.
  useWorkspace.setState({ undone });
}

/**
 * Takes an edit that is not on the server out of the queue, as a whole. Where a request may have arrived without its
 * answer, the edit is cancelled instead: it is hidden now, and undone as soon as the server has answered.
 */
function withdrawEdit(id: string) {
  const mine = useWorkspace.getState().queue.find((one) => one.id === id);
  if (!mine || (mine.state !== 'waiting' && !needsDecision(mine))) return undefined;
  const { attempted, operations } = mine;
  updateQueue((queue) => (attempted ? updateEdit(queue, id, { cancelled: true }) : removeEdit(queue, id)));
  return operations;
}

/** Waits as long as the edit is being sent. */
function whenSent(id: string): Promise<void> {
  const isSending = () =>
    useWorkspace.getState().queue.some((one) => one.id === id && one.state === 'sending');
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

/** A change set by its id; by its label only what was not written as a change set. */
function undoOf({ changeSetId, batch }: UndoStep): Undo {
  return changeSetId ? { changeSetId } : { batchId: batch ?? null };
}

function changeSetOf(answer: { changeSetId?: string; batchId: string }): string {
  return answer.changeSetId ?? answer.batchId;
}
