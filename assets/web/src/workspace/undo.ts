/** Undoes and redoes the edits of this window. */
import { ApiError } from '@/api/errors';
import { undo as request, type Undo } from '@/api/generated';
import { needsYou, set, without } from '@/core/sync/queue';
import { complain, say } from '@/ui/Toasts';
import { edit, enqueue, recordStep, savedEdit, usePlan } from './store';
import type { Step } from './undoStack';

/** Undoes the last edit. Returns what it was; undefined when there is none. Throws `ApiError`. */
export async function undo(): Promise<string | undefined> {
  return inTurn(() => step('done', 'undone'));
}

/** Does again what was undone last. */
export async function redo(): Promise<string | undefined> {
  return inTurn(() => step('undone', 'done'));
}

/** Says what was done, with a way to undo just that. */
export function sayDone(text: string, id: string): void {
  say(text, { label: 'Undo', run: () => void undoEdit(id).catch(complainOfUndo) });
}

/** Undoes one edit of this window, the last or not. Returns whether it is undone. */
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

/** Undoes one's own change set from the history, whenever and in whichever window it was made; it can be redone. */
export async function takeBackPast({ changeSetId, label }: PastStep): Promise<void> {
  const { done, workspaceId } = usePlan.getState();
  const known = done.find((one) => one.changeSetId === changeSetId || one.batch === changeSetId);
  if (known) await undoEdit(known.id);
  else {
    const id = changeSetOf(await request(workspaceId, undoOf({ id: changeSetId, label, changeSetId })));
    recordStep({ id, changeSetId: id, label: `Take back: ${label}` });
  }
  say('Taken back', { label: 'Redo', run: () => void redoLast(label).catch(complainOfUndo) });
}

/** Does again what was just undone: it is on one of the two stacks. */
async function redoLast(label: string): Promise<void> {
  const { undone } = usePlan.getState();
  await (undone.at(-1)?.label === label ? redo() : undo());
}

/** Tells that something could not be undone, and names what stands in the way. */
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
  return `This cannot be taken back any more: ${named.join('; ')}${more}. Nothing was changed.`;
}

/** Key presses that come faster than the server answers are worked off in order. */
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
function doAgain(entry: Step, put: (stack: Stack, step: Step) => void, to: Stack): void {
  const cancelled = usePlan.getState().queue.find(({ id }) => id === entry.id);
  if (cancelled?.cancelled && !cancelled.changeSetId && !cancelled.batch) {
    enqueue((queue) => set(queue, entry.id, { cancelled: false }));
    put(to, { id: entry.id, label: entry.label });
    return;
  }
  const { undone } = usePlan.getState();
  edit(entry.label, entry.operations ?? []);
  // To do something again leaves what else was undone where it is.
  usePlan.setState({ undone });
}

/**
 * Takes an edit that is not on the server out of the queue, as a whole. Where a request may have arrived without its
 * answer, the edit is cancelled instead: it is hidden now, and undone as soon as the server has answered.
 */
function withdrawn(id: string) {
  const mine = usePlan.getState().queue.find((one) => one.id === id);
  if (!mine || (mine.state !== 'waiting' && !needsYou(mine))) return undefined;
  const { attempted, operations } = mine;
  enqueue((queue) => (attempted ? set(queue, id, { cancelled: true }) : without(queue, id)));
  return operations;
}

/** Waits as long as the edit is being sent. */
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
