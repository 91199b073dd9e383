/** Undoes and redoes the edits of this window. */
import { ApiError } from '@/api/errors';
import { undo as request, type Undo } from '@/api/generated';
import { needsYou, set, without } from '@/core/sync/queue';
import { complain, say } from '@/ui/Toasts';
import type { Step } from './steps';
import { edit, enqueue, recordStep, savedEdit, usePlan } from './store';

/** Undoes the last edit. Returns its label, or undefined if there is none. Throws `ApiError`. */
export async function undo(): Promise<string | undefined> {
  return inTurn(() => step('done', 'undone'));
}

/** Redoes the edit that was undone last. */
export async function redo(): Promise<string | undefined> {
  return inTurn(() => step('undone', 'done'));
}

/** Shows a toast with an Undo button for one edit. */
export function sayDone(text: string, id: string): void {
  say(text, { label: 'Undo', run: () => void undoEdit(id).catch(complainOfUndo) });
}

/** Undoes an edit of this window, not necessarily the last one. Returns whether it was undone. */
export async function undoEdit(id: string): Promise<boolean> {
  return inTurn(async () => {
    const known = usePlan.getState().done.find((one) => one.id === id);
    return known ? (await takeBack(known, 'done', 'undone')) !== undefined : false;
  });
}

interface PastStep {
  changeSetId: string;
  label: string;
}

/** Undoes one of the user's change sets from the history, made at any time in any window. It can be redone. */
export async function takeBackPast({ changeSetId, label }: PastStep): Promise<void> {
  const { done, workspaceId } = usePlan.getState();
  const known = done.find((one) => one.changeSetId === changeSetId || one.batch === changeSetId);
  if (known) await undoEdit(known.id);
  else {
    const id = changeSetOf(await request(workspaceId, undoOf({ id: changeSetId, label, changeSetId })));
    recordStep({ id, changeSetId: id, label: `Revert: ${label}` });
  }
  say('Undone', { label: 'Redo', run: () => void redoLast(label).catch(complainOfUndo) });
}

/** Redoes what was just undone; it is on one of the two stacks. */
async function redoLast(label: string): Promise<void> {
  const { undone } = usePlan.getState();
  await (undone.at(-1)?.label === label ? redo() : undo());
}

/** Shows why an undo failed, with the changes that conflict with it. */
export function complainOfUndo(error: unknown): void {
  complain(error instanceof ApiError && error.code === 'changed_since' ? new Error(inTheWay(error)) : error);
}

function inTheWay({ body, message }: ApiError): string {
  const changed = body.changed ?? [];
  if (changed.length === 0) return message;
  const named = changed.slice(0, 5).map(({ entity, name, id, why, changedBy }) => {
    const by = changedBy ? ` by ${changedBy.displayName}` : '';
    return `${entity} “${name || id}” ${why}${why.includes(' by ') ? '' : by}`;
  });
  const more = changed.length > 5 ? `, and ${changed.length - 5} more` : '';
  return `Can’t undo: ${named.join('; ')}${more}. No changes were made.`;
}

/** Key presses that arrive faster than the server responds are processed in order. */
let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const turn = last.then(run, run);
  last = turn.catch(() => {});
  return turn;
}

type Stack = 'done' | 'undone';

async function step(from: Stack, to: Stack): Promise<string | undefined> {
  const { [from]: stack, past } = usePlan.getState();
  const entry = past ? undefined : stack.at(-1);
  return entry && takeBack(entry, from, to);
}

async function takeBack(entry: Step, from: Stack, to: Stack): Promise<string | undefined> {
  const { workspaceId } = usePlan.getState();
  usePlan.setState((plan) => ({ [from]: plan[from].filter((one) => one !== entry) }));
  const put = (stack: Stack, step: Step) => {
    if (usePlan.getState().workspaceId === workspaceId) {
      usePlan.setState((plan) => ({ [stack]: [...plan[stack], step] }));
    }
  };
  if (entry.operations) {
    doAgain(entry, put, to);
    return entry.label;
  }
  await whenSent(entry.id);
  const unsent = withdrawn(entry.id);
  if (unsent) {
    put(to, { id: entry.id, label: entry.label, operations: unsent });
    return entry.label;
  }
  // The edit may have been saved in the meantime.
  const now = { ...entry, ...savedEdit(entry.id) };
  if (!now.changeSetId && !now.batch) {
    throw new Error(`“${entry.label}” was saved by another window. Undo it from the history.`);
  }
  try {
    const id = changeSetOf(await request(workspaceId, undoOf(now)));
    put(to, { id, changeSetId: id, label: entry.label });
    return entry.label;
  } catch (error) {
    // Other people's later changes stay; a retry would fail the same way.
    if (!(error instanceof ApiError && (error.code === 'changed_since' || error.status === 404)))
      put(from, now);
    throw error;
  }
}

/** Redoes an edit that was undone before it reached the server. */
function doAgain(entry: Step, put: (stack: Stack, step: Step) => void, to: Stack): void {
  const cancelled = usePlan.getState().queue.find(({ id }) => id === entry.id);
  if (cancelled?.cancelled && !cancelled.changeSetId && !cancelled.batch) {
    enqueue((queue) => set(queue, entry.id, { cancelled: false }));
    put(to, { id: entry.id, label: entry.label });
    return;
  }
  const { undone } = usePlan.getState();
  edit(entry.label, entry.operations ?? []);
  // Redoing one edit leaves the rest of the redo stack unchanged.
  usePlan.setState({ undone });
}

/**
 * Removes an edit that is not on the server from the queue. If a request may have arrived without its
 * response, the edit is canceled instead: hidden now and undone when the server has responded.
 */
function withdrawn(id: string) {
  const mine = usePlan.getState().queue.find((one) => one.id === id);
  if (!mine || (mine.state !== 'waiting' && !needsYou(mine))) return undefined;
  const { attempted, operations } = mine;
  enqueue((queue) => (attempted ? set(queue, id, { cancelled: true }) : without(queue, id)));
  return operations;
}

/** Waits until the edit is no longer being sent. */
function whenSent(id: string): Promise<void> {
  const isSending = () => usePlan.getState().queue.some((one) => one.id === id && one.state === 'sending');
  return until(() => !isSending());
}

function until(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (isSo()) return resolve();
    const stop = usePlan.subscribe(() => {
      if (!isSo()) return;
      stop();
      resolve();
    });
  });
}

/** A change set by its id; by its label only what was not written as a change set. */
function undoOf({ changeSetId, batch }: Step): Undo {
  return changeSetId ? { changeSetId } : { batchId: batch ?? null };
}

function changeSetOf(answer: { changeSetId?: string; batchId: string }): string {
  return answer.changeSetId ?? answer.batchId;
}
