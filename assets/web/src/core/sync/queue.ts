/**
 * Edits that are not saved yet, in order. An edit waits, is sent as one request, and stays shown until the server's own
 * account of it has arrived; nothing leaves the queue unsaved unless its author says so.
 */
import type { Change } from '@/api/generated';
import type { FieldConflict } from './merge';
import { applyOperation, type Operation, replaceId, requiredRows, writtenRows } from './operation';
import { type Kind, mapOf, type OwnedMaps, type Rows, withoutDependents, withoutRow, writable } from './rows';

/** One user action on its way to the server: saved as a whole, as one change set, and undone as a whole. */
export interface Edit {
  /** Identifies the edit as long as it exists; entries of the undo stack refer to it. */
  id: string;
  /** The `Idempotency-Key` of its request; another one whenever the request changes. */
  key: string;
  /** What it does, as undo says it: "Move 3 components". */
  label: string;
  operations: readonly Operation[];
  /** `outdated`: made before the server was restored from a backup; its author decides whether to apply it. */
  state: 'waiting' | 'sending' | 'saved' | 'refused' | 'conflict' | 'outdated';
  /** When it was made, Unix milliseconds. */
  at: number;
  /** Incarnation of the database that it was made against; absent if the server did not send one. */
  incarnation?: string | undefined;
  /** Whether a request was sent whose outcome is unknown: the server may have saved the edit. */
  attempted?: boolean;
  /** Undone while its outcome was unknown: once it is saved, the change set is undone. It is not shown. */
  cancelled?: boolean;
  /** How often it was merged with what others wrote. */
  rebased?: number;
  /** Set when saved: the change set on the server. */
  changeSetId?: string | undefined;
  /** Set when saved by a request whose answer does not name its change set: the label under which undo finds it. */
  batch?: string | undefined;
  /** Set when saved: the workspace's revision that contains it; 0 if unknown. */
  revision?: number;
  /** Set when saved: the revisions of the rows that it wrote, by `kind/id`. */
  written?: Readonly<Record<string, number>>;
  /** Set when refused: the reason, as the server words it. */
  problem?: string | undefined;
  conflicts?: readonly Conflict[] | undefined;
}

/** Another user has changed the row of an operation. */
export interface Conflict {
  /** Index of the operation in the edit. */
  index: number;
  /** `changed`: the same fields were changed; `deleted`: the row was deleted; `taken`: another row has the id. */
  why: 'changed' | 'deleted' | 'taken';
  clashes: readonly FieldConflict[];
  /** The current row; if it is gone, its last state; null if unknown. */
  current: Record<string, unknown> | null;
  by: Change['actor'];
  /** When they did it, Unix milliseconds. */
  at?: number;
}

export type Queue = readonly Edit[];

/** Whether a person has to decide about the edit. */
export function needsDecision({ state }: Edit): boolean {
  return state === 'refused' || state === 'conflict' || state === 'outdated';
}

/** Whether the edit waits to be sent or is being sent. */
export function isPending({ state }: Edit): boolean {
  return state === 'waiting' || state === 'sending';
}

/** Edits that are not on the server yet. */
export function unsavedEdits(queue: Queue): Queue {
  return queue.filter(({ state, cancelled }) => state !== 'saved' && !cancelled);
}

/** The rows that an edit writes, as `kind/id`. */
export function rowsWrittenBy({ operations }: Pick<Edit, 'operations'>): Set<string> {
  return new Set(operations.flatMap(writtenRows));
}

/**
 * The rows as their author sees them: what the server sent, with the queue applied. However much that is, each kind of
 * rows is copied once, and what hangs on deleted components is looked up once for all components deleted in a row.
 */
export function applyQueue(serverRows: Rows, queue: Queue): Rows {
  const own: OwnedMaps = new WeakSet();
  const gone = new Set<string>();
  let rows = serverRows;
  for (const edit of queue) {
    if (needsDecision(edit) || edit.cancelled) continue;
    for (const operation of edit.operations) {
      if (operation.op === 'delete') {
        rows = withoutRow(rows, operation.kind, operation.id, own);
        if (operation.kind === 'component') gone.add(operation.id);
        continue;
      }
      // What comes next may hang on a component that is created again with the same id.
      rows = withoutDependents(rows, gone, own);
      gone.clear();
      rows = applyOperation(rows, operation, own);
    }
    rows = stamped(rows, edit, own);
  }
  return withoutDependents(rows, gone, own);
}

/** The next edit of a row that was just saved is meant for the revision that the server gave it. */
function stamped(rows: Rows, edit: Edit, own: OwnedMaps): Rows {
  if (edit.state !== 'saved' || !edit.written) return rows;
  let next = rows;
  for (const row of knownRows(edit)) {
    const revision = edit.written[row];
    if (revision === undefined) continue;
    const [kind, id] = splitRow(row);
    const known = mapOf<Kind>(next, kind)?.get(id);
    if (!known || known.revision >= revision) continue;
    const [copy, map] = writable<Kind>(next, kind, own);
    map.set(id, { ...known, revision } as typeof known);
    next = copy;
  }
  return next;
}

function splitRow(row: string): [kind: Kind, id: string] {
  const slash = row.indexOf('/');
  return [row.slice(0, slash) as Kind, row.slice(slash + 1)];
}

/** Drops edits whose rows the server has already sent back. */
export function dropSettled(queue: Queue, serverRows: Rows): Queue {
  const left = queue.filter((edit) => !(edit.state === 'saved' && isConfirmed(edit, serverRows)));
  return left.length === queue.length ? queue : left;
}

/** The changes of one change set arrive one by one: the edit is told when all of its rows are. */
function isConfirmed(
  { operations, revision = 0, written = {}, incarnation }: Edit,
  serverRows: Rows,
): boolean {
  // The restored server knows nothing of it, and counts revisions anew.
  if (incarnation && serverRows.incarnation && incarnation !== serverRows.incarnation) return true;
  if (revision > 0 && serverRows.revision !== revision) return serverRows.revision > revision;
  const rows = Object.entries(written);
  const isWritten = rows.every(([row, written]) => {
    const [kind, id] = splitRow(row);
    return (mapOf<Kind>(serverRows, kind)?.get(id)?.revision ?? -1) >= written;
  });
  return isWritten && operations.every((operation) => isDeletionConfirmed(operation, written, serverRows));
}

function isDeletionConfirmed(
  operation: Operation,
  written: Readonly<Record<string, number>>,
  serverRows: Rows,
): boolean {
  // A row that the edit created again afterwards is among those written.
  if (operation.op !== 'delete' || `${operation.kind}/${operation.id}` in written) return true;
  const row = mapOf(serverRows, operation.kind).get(operation.id);
  // A row with a later revision was restored since.
  return !row || (operation.base > 0 && row.revision > operation.base);
}

/** The next edit to send: the first that waits and does not depend on one that needs a decision. */
export function nextEdit(queue: Queue): Edit | undefined {
  if (queue.some(({ state }) => state === 'sending')) return undefined;
  const held = blockedEdits(queue);
  return queue.find(({ id, state }) => state === 'waiting' && !held.has(id));
}

/** The ids of edits that wait for a decision about an earlier edit of the same rows. */
export function blockedEdits(queue: Queue): ReadonlySet<string> {
  const held = new Set<string>();
  const blocked = new Set<string>();
  // Edits from before a restore are not shown: nothing later is based on them.
  const blocks = (edit: Edit) => needsDecision(edit) && edit.state !== 'outdated';
  if (!queue.some(blocks)) return held;
  for (const edit of queue) {
    if (edit.state === 'saved' || edit.state === 'outdated') continue;
    const isHeld = edit.operations.some((operation) =>
      [...writtenRows(operation), ...requiredRows(operation)].some((row) => blocked.has(row)),
    );
    if (isHeld) held.add(edit.id);
    if (isHeld || blocks(edit)) for (const row of rowsWrittenBy(edit)) blocked.add(row);
  }
  return held;
}

/** The queue with one edit changed. */
export function updateEdit(queue: Queue, id: string, to: Partial<Edit>): Queue {
  return queue.map((edit) => (edit.id === id ? { ...edit, ...to } : edit));
}

/** The queue without one edit. */
export function removeEdit(queue: Queue, id: string): Queue {
  return queue.filter((edit) => edit.id !== id);
}

/** What the server answered to a saved edit. */
export interface SaveResult {
  changeSetId?: string | undefined;
  batch?: string | undefined;
  revision: number;
  written: Readonly<Record<string, number>>;
  /** Ids that the server chose, by the references of the request. */
  refs: Readonly<Record<string, string>>;
}

/** After an edit is saved, the edits behind it on the same rows are meant for the revisions that it made. */
export function markSaved(before: Queue, id: string, answer: SaveResult): Queue {
  const { changeSetId, batch, revision, written } = answer;
  const queue = Object.entries(answer.refs).reduce<Queue>(
    (all, [ref, number]) => replaceRowId(all, 'stakeholder', ref, number),
    before,
  );
  const at = queue.findIndex((edit) => edit.id === id);
  const done = queue[at];
  if (!done) return before;
  const known = knownRows(done);
  return queue.map((edit, place): Edit => {
    if (place === at) {
      return { ...edit, state: 'saved', attempted: false, changeSetId, batch, revision, written };
    }
    // The request of an attempted edit must stay the same: its key stands for it.
    if (place < at || edit.attempted || edit.state !== 'waiting') return edit;
    let isChanged = false;
    const operations = edit.operations.map((operation) => {
      if (!('base' in operation)) return operation;
      const row = `${operation.kind}/${operation.id}`;
      const base = known.has(row) ? written[row] : undefined;
      if (base === undefined || base === operation.base) return operation;
      isChanged = true;
      return { ...operation, base };
    });
    return isChanged ? { ...edit, operations } : edit;
  });
}

/**
 * The rows whose state an edit knew when it wrote them: it created them, or the server compared their revisions. A row
 * that was only moved may have been changed by others unseen; what is done to it next is compared with that.
 */
function knownRows({ operations }: Edit): ReadonlySet<string> {
  return new Set(
    operations.flatMap((operation) =>
      operation.op === 'create' || ('base' in operation && operation.base > 0) ? writtenRows(operation) : [],
    ),
  );
}

/** The queue where a row that was created in it is known by another id. */
export function replaceRowId(queue: Queue, kind: Kind, from: string, to: string): Queue {
  return queue.map((edit) => {
    const operations = edit.operations.map((operation) => replaceId(operation, kind, from, to));
    return { ...edit, operations };
  });
}

/** A request that was being sent when its window closed may have arrived: it is sent again with the same key. */
export function recoverQueue(queue: Queue): Queue {
  return queue
    .filter(({ state }) => state !== 'saved')
    .map((edit) => (edit.state === 'sending' ? { ...edit, state: 'waiting', attempted: true } : edit));
}
