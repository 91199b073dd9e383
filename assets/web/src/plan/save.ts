/** Sends what is in the queue, in order, and keeps at it until the server has it. */
import { ApiError, explain } from '@/api/errors';
import type { ErrorBody } from '@/api/generated';
import { send } from '@/api/http';
import { merge } from '@/core/sync/merge';
import type { Operation } from '@/core/sync/operation';
import { next, type Pending, saved, set } from '@/core/sync/queue';
import { requestFor } from '@/core/sync/request';
import { enqueue, usePlan } from './store';

/** Waits between attempts while the server is away, in milliseconds: the first, and the longest. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

let wait = FIRST_WAIT;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Saves what waits. Called whenever something is added, and when the server is back. */
export async function save(): Promise<void> {
  const { queue, workspaceId, told } = usePlan.getState();
  const pending = told && next(queue);
  if (!pending) return;
  clearTimeout(timer);
  enqueue((now) => set(now, pending.key, { state: 'sending' }));
  try {
    const revision = await attempt(workspaceId, pending);
    wait = FIRST_WAIT;
    if (usePlan.getState().workspaceId === workspaceId) enqueue((now) => saved(now, pending.key, revision));
  } catch (error) {
    if (usePlan.getState().workspaceId !== workspaceId) return;
    if (!failed(pending, error)) return;
  }
  await save();
}

/** What becomes of an operation that was not saved. Answers whether to go on with the next. */
function failed(pending: Pending, error: unknown): boolean {
  if (!(error instanceof ApiError) || error.isPassing || error.status === 401) {
    enqueue((now) => set(now, pending.key, { state: 'waiting' }));
    timer = setTimeout(
      () => void save(),
      error instanceof ApiError && error.retryAfter ? error.retryAfter : wait,
    );
    wait = Math.min(wait * 2, LONGEST_WAIT);
    return false;
  }
  if (error.status === 412) {
    enqueue((now) => set(now, pending.key, reconciled(pending, error.body)));
    return true;
  }
  if (error.status === 404 && pending.operation.op === 'delete') {
    enqueue((now) => saved(now, pending.key, 0));
    return true;
  }
  enqueue((now) => set(now, pending.key, { state: 'refused', problem: explain(error) }));
  return true;
}

/** Somebody was faster: what does not clash is sent again, on top of theirs; what does is for a person to decide. */
function reconciled({ operation }: Pending, { current, changedBy }: Partial<ErrorBody>): Partial<Pending> {
  const theirs = (current ?? null) as (Record<string, unknown> & { revision: number }) | null;
  if (operation.op === 'update' && theirs) {
    const { fields, clashes } = merge(operation.before, operation.fields, theirs);
    const rebased: Operation = {
      ...operation,
      fields,
      before: pick(theirs, operation.fields),
      base: theirs.revision,
    };
    if (clashes.length === 0) return { state: 'waiting', operation: rebased };
    return { state: 'conflict', conflict: { clashes, current: theirs, by: changedBy ?? null } };
  }
  return { state: 'conflict', conflict: { clashes: [], current: theirs, by: changedBy ?? null } };
}

function pick(row: Record<string, unknown>, like: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(like).map((key) => [key, row[key]]));
}

/** Sends one operation. Answers the revision that it made, 0 when the answer does not say. */
async function attempt(workspaceId: string, { key, batch, operation }: Pending): Promise<number> {
  const { method, path, body, ifMatch } = requestFor(workspaceId, operation);
  const headers: Record<string, string> = { 'X-Batch-Id': batch };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (method === 'POST') headers['Idempotency-Key'] = key;
  if (ifMatch !== undefined) headers['If-Match'] = `"${ifMatch}"`;
  const answer = await send(path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  return latest(await answer.json());
}

/** The latest revision of the rows in an answer. */
function latest(answer: Record<string, unknown>): number {
  const rows = Object.values(answer).flat() as { revision?: number }[];
  return Math.max(0, ...rows.map((row) => row?.revision ?? 0));
}
