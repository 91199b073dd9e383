/**
 * What is not saved yet, in order. An operation waits, is sent, and stays shown until the server's own account of it has
 * come; nothing leaves the queue unsaved unless its author says so.
 */
import type { Change } from '@/api/generated';
import type { Clash } from './merge';
import { applied, type Operation, touched } from './operation';
import { mapOf, type Rows } from './rows';

/** What was done, on its way to the server. */
export interface Pending {
  /** Also the `Idempotency-Key` it is sent with. */
  key: string;
  batch: string;
  label: string;
  operation: Operation;
  state: 'waiting' | 'sending' | 'saved' | 'refused' | 'conflict';
  /** Of what is saved: the workspace's revision that has it. 0 when the answer does not say. */
  revision?: number;
  /** Of what was refused: why, in the server's words. */
  problem?: string;
  conflict?: Conflict;
}

/** Somebody was faster. */
export interface Conflict {
  clashes: readonly Clash[];
  /** The row as it is now; none when it is gone. */
  current: Record<string, unknown> | null;
  by: Change['actor'];
}

export type Queue = readonly Pending[];

/** The rows as their author sees them: what the server has told, and over it what is on its way. */
export function shown(told: Rows, queue: Queue): Rows {
  return queue.reduce(
    (rows, pending) =>
      pending.state === 'refused' || pending.state === 'conflict' ? rows : applied(rows, pending.operation),
    told,
  );
}

/** Lets go of what the server has told of by now. */
export function settled(queue: Queue, told: Rows): Queue {
  const left = queue.filter((pending) => !(pending.state === 'saved' && isTold(pending, told)));
  return left.length === queue.length ? queue : left;
}

function isTold({ operation, revision }: Pending, told: Rows): boolean {
  if (operation.op === 'delete') return !mapOf(told, operation.kind).has(operation.id);
  return told.revision >= (revision ?? 0);
}

/** The next to be sent: the first that waits, unless one before it is being sent or has failed on the same row. */
export function next(queue: Queue): Pending | undefined {
  if (queue.some(({ state }) => state === 'sending')) return undefined;
  const blocked = new Set<string>();
  for (const pending of queue) {
    const rows = touched(pending.operation);
    if (pending.state === 'waiting' && !rows.some((row) => blocked.has(row))) return pending;
    if (pending.state === 'conflict' || pending.state === 'refused') for (const row of rows) blocked.add(row);
  }
  return undefined;
}

/** The queue with another state of one in it. */
export function set(queue: Queue, key: string, to: Partial<Pending>): Queue {
  return queue.map((pending) => (pending.key === key ? { ...pending, ...to } : pending));
}

/** After one was saved as `revision`, what waits behind it on the same row is meant for that revision. */
export function saved(queue: Queue, key: string, revision: number): Queue {
  const at = queue.findIndex((pending) => pending.key === key);
  const done = queue[at];
  if (!done) return queue;
  const rows = new Set(touched(done.operation));
  return queue.map((pending, place) => {
    if (place === at) return { ...pending, state: 'saved', revision };
    const { operation } = pending;
    const follows = place > at && 'base' in operation && rows.has(`${operation.kind}/${operation.id}`);
    return follows && revision > 0 ? { ...pending, operation: { ...operation, base: revision } } : pending;
  });
}
