/** Takes back, and does again, what this window has done. */
import { ApiError } from '@/api/errors';
import { undo as request } from '@/api/generated';
import { needsYou } from '@/core/sync/queue';
import { complain, say } from '@/ui/Toasts';
import type { Step } from './steps';
import { edit, enqueue, recordStep, usePlan } from './store';

/** Takes back the last gesture. Answers what it was; none when there is nothing. Throws `ApiError`. */
export async function undo(): Promise<string | undefined> {
  return inTurn(() => step('done', 'undone'));
}

/** Does again what was taken back last. */
export async function redo(): Promise<string | undefined> {
  return inTurn(() => step('undone', 'done'));
}

/** Says what was done, with a way to take just that back. */
export function sayDone(text: string, batch: string): void {
  say(text, { label: 'Undo', run: () => void undoBatch(batch).catch(complainOfUndo) });
}

/** Takes back one gesture of this window, the last or not. Answers whether it is taken back. */
export async function undoBatch(batch: string): Promise<boolean> {
  return inTurn(async () => {
    const known = usePlan.getState().done.find((one) => one.batch === batch);
    return known ? (await takeBack(known, 'done', 'undone')) !== undefined : false;
  });
}

/** Takes back a gesture of one's own, whenever and in whichever window it was done; it can be done again. */
export async function takeBackPast({ batch, label }: Step): Promise<void> {
  const { done, workspaceId } = usePlan.getState();
  if (done.some((one) => one.batch === batch)) await undoBatch(batch);
  else {
    const { batchId } = await request(workspaceId, { batchId: batch });
    recordStep({ batch: batchId, label: `Take back: ${label}` });
  }
  say('Taken back', { label: 'Redo', run: () => void redoLast(label).catch(complainOfUndo) });
}

/** Does again what was just taken back: it is on one of the two stacks. */
async function redoLast(label: string): Promise<void> {
  const { undone } = usePlan.getState();
  await (undone.at(-1)?.label === label ? redo() : undo());
}

/** Tells that something could not be taken back, and names what stands in the way. */
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

/** Presses that come faster than the server answers are worked off in their order. */
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
    const { undone } = usePlan.getState();
    edit(entry.label, entry.operations);
    // To do something again leaves what else was taken back where it is.
    usePlan.setState({ undone });
    return entry.label;
  }
  const operations = withdrawn(entry);
  if (operations) {
    put(to, { ...entry, operations });
    return entry.label;
  }
  try {
    await flushed(entry);
    const { batchId } = await request(workspaceId, { batchId: entry.batch });
    put(to, { ...entry, batch: batchId });
    return entry.label;
  } catch (error) {
    // What others have changed since stays as it is: to try again would only say so again.
    if (!(error instanceof ApiError && (error.code === 'changed_since' || error.status === 404)))
      put(from, entry);
    throw error;
  }
}

/** Takes a gesture of which nothing was sent yet out of the queue. */
function withdrawn({ batch, size = 1 }: Step) {
  const mine = usePlan.getState().queue.filter((pending) => pending.batch === batch);
  // What is not in the queue any more is on the server.
  if (mine.length < size || mine.some(({ state }) => state === 'sending' || state === 'saved'))
    return undefined;
  enqueue((queue) => queue.filter((pending) => pending.batch !== batch));
  return mine.map(({ operation }) => operation);
}

/** Waits until nothing of a gesture is on its way any more. What was not taken of it is let go. */
function flushed({ batch }: Step): Promise<void> {
  const isOnItsWay = () =>
    usePlan
      .getState()
      .queue.some((one) => one.batch === batch && (one.state === 'waiting' || one.state === 'sending'));
  enqueue((queue) =>
    queue.some((one) => one.batch === batch && needsYou(one))
      ? queue.filter((one) => !(one.batch === batch && needsYou(one)))
      : queue,
  );
  return new Promise((resolve) => {
    if (!isOnItsWay()) return resolve();
    const stop = usePlan.subscribe(() => {
      if (isOnItsWay()) return;
      stop();
      resolve();
    });
  });
}
