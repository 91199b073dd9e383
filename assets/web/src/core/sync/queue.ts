/**
 * The queue of unsaved edits. An edit waits, is sent as one request, and stays applied until the event stream delivers
 * its changes. An unsaved edit leaves the queue only if its author discards it.
 */
import type { Change } from '@/api/generated';
import type { FieldConflict } from './merge';
import { applyOperation, type Operation, replaceId, requiredRows, writtenRows } from './operation';
import {
  type Kind,
  mapOf,
  type OwnedMaps,
  type Rows,
  withoutDependents,
  withoutRow,
  withoutViewRows,
  writable,
} from './rows';

/** A user action, which is saved and undone as a single change set. */
export interface Edit {
  /** Stable for the lifetime of the edit; the undo stack refers to it. */
  id: string;
  /** The `Idempotency-Key` of its request. A changed request gets a new key. */
  key: string;
  /** The label shown by undo: "Move 3 components". */
  label: string;
  operations: readonly Operation[];
  /**
   * `outdated`: the edit was made before the server was restored from a backup; its author decides whether to apply it.
   */
  state: 'waiting' | 'sending' | 'saved' | 'refused' | 'conflict' | 'outdated';
  /** Creation time, Unix milliseconds. */
  at: number;
  /** Incarnation of the database when the edit was made; absent if the server did not send one. */
  incarnation?: string | undefined;
  /** Whether a request was sent whose outcome is unknown, so the server may have saved the edit. */
  attempted?: boolean;
  /** When the first request with this key was sent, Unix milliseconds. */
  sentAt?: number;
  /** The rows that the edit writes without an expected revision, when it was made, by `kind/id`. */
  seen?: Readonly<Record<string, SeenPosition>>;
  /** Whether the request expects the revisions in `seen`, so that a late repetition overwrites no newer position. */
  isGuarded?: boolean;
  /**
   * Whether the edit was undone while its outcome was unknown. It is not shown, and its change set is undone once it is
   * saved.
   */
  cancelled?: boolean;
  /** How many times it was merged with changes by others. */
  rebased?: number;
  /** Set when saved: the change set on the server. */
  changeSetId?: string | undefined;
  /** Set when saved: the first revision of the workspace that contains it; 0 if unknown. */
  revision?: number;
  /** Set when saved: the revisions of the rows that it wrote, by `kind/id`. */
  written?: Readonly<Record<string, number>>;
  /** Set when rejected: the reason given by the server. */
  problem?: string | undefined;
  /** Whether it was rejected because the workspace is protected. It can be made in a draft instead. */
  isProtected?: boolean;
  conflicts?: readonly Conflict[] | undefined;
}

/** The revision and position of a row. */
export interface SeenPosition {
  revision: number;
  x: number;
  y: number;
}

/** A conflicting change by another user to the row of an operation. */
export interface Conflict {
  /** Index of the operation in the edit. */
  index: number;
  /** `changed`: the same fields were changed; `deleted`: the row was deleted; `taken`: another row has the ID. */
  why: 'changed' | 'deleted' | 'taken';
  fieldConflicts: readonly FieldConflict[];
  /** The current row; for a deleted row, its last state; null if unknown. */
  current: Record<string, unknown> | null;
  by: Change['actor'];
  /** Time of the change, Unix milliseconds. */
  at?: number;
}

export type Queue = readonly Edit[];

/** Whether the author has to decide what to do with the edit. */
export function needsDecision({ state }: Edit): boolean {
  return state === 'refused' || state === 'conflict' || state === 'outdated';
}

/** Whether the edit is waiting to be sent or being sent. */
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
 * The rows shown to the user: the server's rows with the queue applied. Each kind of rows is copied at most once, and
 * dependents of deleted components are removed once per sequence of deletions.
 */
export function applyQueue(serverRows: Rows, queue: Queue): Rows {
  const own: OwnedMaps = new WeakSet();
  const deleted = new Set<string>();
  let rows = serverRows;
  for (const edit of queue) {
    if (needsDecision(edit) || edit.cancelled) continue;
    for (const operation of edit.operations) {
      if (operation.op === 'delete') {
        rows = withoutRow(rows, operation.kind, operation.id, own);
        if (operation.kind === 'component') deleted.add(operation.id);
        if (operation.kind === 'view') rows = withoutViewRows(rows, operation.id, own);
        continue;
      }
      // The next operation may depend on a component that was recreated with the same ID.
      rows = withoutDependents(rows, deleted, own);
      deleted.clear();
      rows = applyOperation(rows, operation, own);
    }
    rows = withSavedRevisions(rows, edit, own);
  }
  return withoutDependents(rows, deleted, own);
}

/** The edit, based on the revisions that the server assigned to recently saved rows. */
function withSavedRevisions(rows: Rows, edit: Edit, own: OwnedMaps): Rows {
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

/** Drops edits whose changes the event stream has delivered. */
export function dropSettled(queue: Queue, serverRows: Rows): Queue {
  const left = queue.filter((edit) => !(edit.state === 'saved' && isConfirmed(edit, serverRows)));
  return left.length === queue.length ? queue : left;
}

/** Whether the server rows include all changes of an edit. The changes of a change set arrive one by one. */
function isConfirmed(
  { operations, revision = 0, written = {}, incarnation }: Edit,
  serverRows: Rows,
): boolean {
  // The restored server does not have the edit, and its revisions continue from a lower number.
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
  // If the edit recreated the row, the row is in `written`.
  if (operation.op !== 'delete' || `${operation.kind}/${operation.id}` in written) return true;
  const row = mapOf(serverRows, operation.kind).get(operation.id);
  // A later revision means that the row was restored.
  return !row || (operation.base > 0 && row.revision > operation.base);
}

/** The next edit to send: the first waiting edit that does not depend on an edit that needs a decision. */
export function nextEdit(queue: Queue): Edit | undefined {
  if (queue.some(({ state }) => state === 'sending')) return undefined;
  const blocked = blockedEdits(queue);
  return queue.find(({ id, state }) => state === 'waiting' && !blocked.has(id));
}

/** The IDs of edits that are blocked by a pending decision about an earlier edit of the same rows. */
export function blockedEdits(queue: Queue): ReadonlySet<string> {
  const blocked = new Set<string>();
  const blockedRows = new Set<string>();
  // Outdated edits are not shown, so no later edit is based on them.
  const blocks = (edit: Edit) => needsDecision(edit) && edit.state !== 'outdated';
  if (!queue.some(blocks)) return blocked;
  for (const edit of queue) {
    if (edit.state === 'saved' || edit.state === 'outdated') continue;
    const isBlocked = edit.operations.some((operation) =>
      [...writtenRows(operation), ...requiredRows(operation)].some((row) => blockedRows.has(row)),
    );
    if (isBlocked) blocked.add(edit.id);
    if (isBlocked || blocks(edit)) for (const row of rowsWrittenBy(edit)) blockedRows.add(row);
  }
  return blocked;
}

/** The queue with one edit changed. */
export function updateEdit(queue: Queue, id: string, to: Partial<Edit>): Queue {
  return queue.map((edit) => (edit.id === id ? { ...edit, ...to } : edit));
}

/** The queue without one edit. */
export function removeEdit(queue: Queue, id: string): Queue {
  return queue.filter((edit) => edit.id !== id);
}

/** The server's response for a saved edit. */
export interface SaveResult {
  changeSetId?: string | undefined;
  revision: number;
  written: Readonly<Record<string, number>>;
  /** IDs assigned by the server, by their references in the request. */
  refs: Readonly<Record<string, string>>;
}

/** The queue after an edit was saved. Later edits of the same rows are rebased onto the new revisions. */
export function markSaved(before: Queue, id: string, result: SaveResult): Queue {
  const { changeSetId, revision, written } = result;
  const queue = Object.entries(result.refs).reduce<Queue>(
    (all, [ref, number]) => replaceRowId(all, 'stakeholder', ref, number),
    before,
  );
  const at = queue.findIndex((edit) => edit.id === id);
  const done = queue[at];
  if (!done) return before;
  const known = knownRows(done);
  return queue.map((edit, place): Edit => {
    if (place === at) {
      return { ...edit, state: 'saved', attempted: false, changeSetId, revision, written };
    }
    // An edit that may have been sent must be repeated unchanged, because its key identifies the request.
    if (place < at || edit.attempted || edit.state !== 'waiting') return edit;
    const seen = edit.seen && withRevisions(edit.seen, written);
    let isChanged = seen !== edit.seen;
    const operations = edit.operations.map((operation) => {
      if (!('base' in operation)) return operation;
      const row = `${operation.kind}/${operation.id}`;
      const base = known.has(row) ? written[row] : undefined;
      if (base === undefined || base === operation.base) return operation;
      isChanged = true;
      return { ...operation, base };
    });
    return isChanged ? { ...edit, operations, ...(seen && { seen }) } : edit;
  });
}

/** The positions, with the revisions that the server has assigned since. */
function withRevisions(
  seen: NonNullable<Edit['seen']>,
  written: Readonly<Record<string, number>>,
): NonNullable<Edit['seen']> {
  const changed = Object.entries(seen).filter(
    ([row, { revision }]) => (written[row] ?? revision) !== revision,
  );
  if (changed.length === 0) return seen;
  return {
    ...seen,
    ...Object.fromEntries(
      changed.map(([row, position]) => [row, { ...position, revision: written[row] ?? position.revision }]),
    ),
  };
}

/** The positions of the rows that operations write without an expected revision, so that the last write wins. */
export function seenPositions(operations: readonly Operation[], rows: Rows | null): Edit['seen'] {
  if (!rows) return undefined;
  const written = operations
    .filter((operation) => operation.op === 'move' || (operation.op === 'update' && operation.base === 0))
    .flatMap(writtenRows);
  const seen = written.flatMap((row): [string, SeenPosition][] => {
    const [kind, id] = splitRow(row);
    const { revision = 0, x, y } = (mapOf<Kind>(rows, kind)?.get(id) ?? {}) as Partial<SeenPosition>;
    return revision > 0 && x !== undefined && y !== undefined ? [[row, { revision, x, y }]] : [];
  });
  return seen.length > 0 ? Object.fromEntries(seen) : undefined;
}

/**
 * The rows whose previous state is known: the edit created them, or the server compared their revisions. A row that was
 * only moved may contain unread changes by others, so the next edit of the row is compared.
 */
function knownRows({ operations }: Edit): ReadonlySet<string> {
  return new Set(
    operations.flatMap((operation) =>
      operation.op === 'create' || ('base' in operation && operation.base > 0) ? writtenRows(operation) : [],
    ),
  );
}

/** Replaces the ID of a row that was created in the queue. */
export function replaceRowId(queue: Queue, kind: Kind, from: string, to: string): Queue {
  return queue.map((edit) => {
    const operations = edit.operations.map((operation) => replaceId(operation, kind, from, to));
    return { ...edit, operations };
  });
}

/** A request that was in progress when its window was closed may have arrived, so it is repeated with the same key. */
export function recoverQueue(queue: Queue): Queue {
  return queue
    .filter(({ state }) => state !== 'saved')
    .map((edit) => (edit.state === 'sending' ? { ...edit, state: 'waiting', attempted: true } : edit));
}
