/**
 * What is not saved yet, in order. An operation waits, is sent, and stays shown until the server's own account of it has
 * come; nothing leaves the queue unsaved unless its author says so.
 */
import type { Change } from '@/api/generated';
import type { Clash } from './merge';
import { applied, needed, type Operation, touched, withOtherId } from './operation';
import { type Kind, mapOf, type Own, type Rows, withoutHanging, withoutRow, writable } from './rows';

/** What was done, on its way to the server. */
export interface Pending {
  /** Also the `Idempotency-Key` it is sent with. */
  key: string;
  batch: string;
  label: string;
  operation: Operation;
  state: 'waiting' | 'sending' | 'saved' | 'refused' | 'conflict';
  /** When it was done, Unix milliseconds. */
  at: number;
  /** How often it was put on top of what others wrote. */
  rebased?: number;
  /** Of what is saved: the workspace's revision that has it. 0 when the answer does not say. */
  revision?: number;
  /** Of what was refused: why, in the server's words. */
  problem?: string;
  conflict?: Conflict;
}

/** Somebody was faster. */
export interface Conflict {
  /** `changed`: the same fields; `deleted`: the row is gone; `taken`: its id is another's. */
  why: 'changed' | 'deleted' | 'taken';
  clashes: readonly Clash[];
  /** The row as it is now; when it is gone, as it was; none when nobody knows. */
  current: Record<string, unknown> | null;
  by: Change['actor'];
  /** When they did it, Unix milliseconds. */
  at?: number;
}

export type Queue = readonly Pending[];

/** Whether a person has to say what becomes of it. */
export function needsYou({ state }: Pending): boolean {
  return state === 'refused' || state === 'conflict';
}

/** How many are not on the server yet. */
export function unsaved(queue: Queue): Queue {
  return queue.filter(({ state }) => state !== 'saved');
}

/**
 * The rows as their author sees them: what the server has told, and over it what is on its way. However much that is,
 * each kind of rows is copied once, and however many components are deleted in a row, what hangs on them is looked for
 * once.
 */
export function shown(told: Rows, queue: Queue): Rows {
  const own: Own = new WeakSet();
  const gone = new Set<string>();
  let rows = told;
  for (const pending of queue) {
    const { operation } = pending;
    if (needsYou(pending)) continue;
    if (operation.op === 'delete') {
      rows = withoutRow(rows, operation.kind, operation.id, own);
      if (operation.kind === 'component') gone.add(operation.id);
      continue;
    }
    // What comes next may hang on a component that is made anew by the same id.
    rows = withoutHanging(rows, gone, own);
    gone.clear();
    rows = stamped(applied(rows, operation, own), pending, own);
  }
  return withoutHanging(rows, gone, own);
}

/** What is done next to a row that was just saved is meant for the revision that the server has made of it. */
function stamped(rows: Rows, { operation, state, revision }: Pending, own: Own): Rows {
  if (state !== 'saved' || !revision || operation.op === 'delete' || operation.op === 'workspace')
    return rows;
  const kind = operation.op === 'move' ? 'component' : operation.kind;
  const [next, rowsOfKind] = writable<Kind>(rows, kind, own);
  const map = rowsOfKind as unknown as Map<string, { revision: number }>;
  for (const id of operation.op === 'move' ? operation.moves.map((move) => move.id) : [operation.id]) {
    const row = map.get(id);
    if (row && row.revision < revision) map.set(id, { ...row, revision });
  }
  return next;
}

/** How much of one gesture the server has. */
export interface Progress {
  done: number;
  of: number;
}

/** How far a gesture of `size` operations has come; none when all of it is there, or what is left needs a person. */
export function progressOf(queue: Queue, batch: string, size: number): Progress | null {
  const left = queue.filter((one) => one.batch === batch && one.state !== 'saved');
  if (!left.some((one) => !needsYou(one))) return null;
  return { done: Math.max(0, size - left.length), of: size };
}

/** Lets go of what the server has told of by now. */
export function settled(queue: Queue, told: Rows): Queue {
  const left = queue.filter((pending) => !(pending.state === 'saved' && isTold(pending, told)));
  return left.length === queue.length ? queue : left;
}

/** The changes of one write come one by one: it is told when all rows of it are. */
function isTold({ operation, revision = 0 }: Pending, told: Rows): boolean {
  if (operation.op === 'delete') {
    const row = mapOf(told, operation.kind).get(operation.id);
    // A row that is there with a later revision was brought back since.
    return !row || (operation.base > 0 && row.revision > operation.base);
  }
  if (told.revision !== revision) return told.revision > revision;
  if (operation.op !== 'move') return true;
  return operation.moves.every(({ id }) => (told.component.get(id)?.revision ?? revision) >= revision);
}

/** The next to be sent: the first that waits, unless one before it is being sent or has failed on the same row. */
export function next(queue: Queue): Pending | undefined {
  if (queue.some(({ state }) => state === 'sending')) return undefined;
  const held = heldUp(queue);
  return queue.find(({ key, state }) => state === 'waiting' && !held.has(key));
}

/** The keys of those that wait for a person to decide about another before them. */
export function heldUp(queue: Queue): ReadonlySet<string> {
  const held = new Set<string>();
  const blocked = new Set<string>();
  for (const pending of queue) {
    if (pending.state === 'saved') continue;
    const isHeld = [...touched(pending.operation), ...needed(pending.operation)].some((row) =>
      blocked.has(row),
    );
    if (isHeld) held.add(pending.key);
    if (isHeld || needsYou(pending)) for (const row of touched(pending.operation)) blocked.add(row);
  }
  return held;
}

/** The queue with another state of one in it. */
export function set(queue: Queue, key: string, to: Partial<Pending>): Queue {
  return queue.map((pending) => (pending.key === key ? { ...pending, ...to } : pending));
}

/** The queue without one. */
export function without(queue: Queue, key: string): Queue {
  return queue.filter((pending) => pending.key !== key);
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

/** The queue where a row that was made in it is known by another id. */
export function withId(queue: Queue, kind: Kind, from: string, to: string): Queue {
  return queue.map((pending) => ({ ...pending, operation: withOtherId(pending.operation, kind, from, to) }));
}

/** What was being sent when its window closed may have arrived or not: it is sent again, which does no harm. */
export function takenUp(queue: Queue): Queue {
  return queue
    .filter(({ state }) => state !== 'saved')
    .map((pending) => (pending.state === 'sending' ? { ...pending, state: 'waiting' } : pending));
}
