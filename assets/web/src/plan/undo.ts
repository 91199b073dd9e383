/** Takes back, and does again, what this window has done. */
import { undo as request } from '@/api/generated';
import { enqueue, type Step, usePlan } from './store';

/** Takes back the last gesture. Answers what it was; none when there is nothing. Throws `ApiError`. */
export async function undo(): Promise<string | undefined> {
  return step('done', 'undone');
}

/** Does again what was taken back last. */
export async function redo(): Promise<string | undefined> {
  return step('undone', 'done');
}

async function step(from: 'done' | 'undone', to: 'done' | 'undone'): Promise<string | undefined> {
  const { [from]: stack, workspaceId } = usePlan.getState();
  const last = stack.at(-1);
  if (!last) return undefined;
  usePlan.setState({ [from]: stack.slice(0, -1) });
  if (withdrawn(last)) return last.label;
  try {
    await flushed(last);
    const { batchId } = await request(workspaceId, { batchId: last.batch });
    usePlan.setState((plan) => ({ [to]: [...plan[to], { ...last, batch: batchId }] }));
    return last.label;
  } catch (error) {
    usePlan.setState((plan) => ({ [from]: [...plan[from], last] }));
    throw error;
  }
}

/** Takes a gesture of which nothing was sent yet out of the queue. */
function withdrawn({ batch }: Step): boolean {
  const mine = usePlan.getState().queue.filter((pending) => pending.batch === batch);
  if (mine.length === 0 || mine.some(({ state }) => state === 'sending' || state === 'saved')) return false;
  enqueue((queue) => queue.filter((pending) => pending.batch !== batch));
  return true;
}

/** Waits until nothing of a gesture is on its way any more. */
function flushed({ batch }: Step): Promise<void> {
  const isOnItsWay = () =>
    usePlan
      .getState()
      .queue.some((one) => one.batch === batch && (one.state === 'waiting' || one.state === 'sending'));
  return new Promise((resolve) => {
    if (!isOnItsWay()) return resolve();
    const stop = usePlan.subscribe(() => {
      if (isOnItsWay()) return;
      stop();
      resolve();
    });
  });
}
