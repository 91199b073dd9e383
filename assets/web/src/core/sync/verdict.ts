/** Decides what to do with an edit that the server did not save. */
import type { ErrorBody } from '@/api/generated';
import { merge, same } from './merge';
import { type Fields, type Operation, rowOf } from './operation';
import type { Conflict, Edit } from './queue';

/** How the server refused. */
export interface Refusal {
  status: number;
  /** Whether the same request may succeed later. */
  isPassing: boolean;
  /** How long to wait, in milliseconds, where the server said so. */
  retryAfter?: number | undefined;
  /** In words, for a person. */
  message: string;
  body: Partial<ErrorBody> & { conflicts?: readonly Found[] };
}

/** A row that the server found in another state than the edit expects. */
export interface Found {
  kind: string;
  id: string | number;
  why?: string;
  /** The row as it is now; null when there is none. */
  current?: unknown;
  changedBy?: Conflict['by'];
}

export type Verdict =
  /** The server is away, or requires a sign-in: send the same later. */
  | { is: 'wait'; milliseconds?: number | undefined }
  /** Nothing of it is left to be saved, as of this revision. */
  | { is: 'done'; revision: number }
  /** Send these operations instead: they include what others wrote. */
  | { is: 'again'; operations: readonly Operation[]; renamed: readonly Renamed[] }
  /** The author has to decide; the other operations are merged already. */
  | { is: 'conflict'; operations: readonly Operation[]; conflicts: readonly Conflict[] }
  /** It was made before the server was restored. */
  | { is: 'outdated' }
  | { is: 'refused'; problem: string };

/** A row that turned out to exist already, under another id. */
export interface Renamed {
  from: string;
  to: string;
}

type Row = Fields & { revision: number };

/** After this many merges of one edit its author is asked instead: somebody else writes the same row all the time. */
const MAX_MERGES = 8;

export function verdict(edit: Edit, refusal: Refusal): Verdict {
  const { status, isPassing, retryAfter, message, body } = refusal;
  if (isPassing || status === 401) return { is: 'wait', milliseconds: retryAfter };
  if (body.code === 'other_incarnation') return { is: 'outdated' };
  const found = body.conflicts ?? [];
  if ((status !== 409 && status !== 412) || found.length === 0) return { is: 'refused', problem: message };
  const result = rebase(edit, found);
  if (result.isBlocked) return { is: 'refused', problem: message };
  const { operations, conflicts, revision, renamed } = result;
  if (conflicts.length > 0) return { is: 'conflict', operations, conflicts };
  if (operations.length === 0) return { is: 'done', revision };
  const isSame =
    operations.length === edit.operations.length &&
    operations.every((one, at) => one === edit.operations[at]);
  return isSame ? { is: 'refused', problem: message } : { is: 'again', operations, renamed };
}

export interface Rebased {
  /** What is left to be written, over what others wrote. */
  operations: Operation[];
  /** What both wrote; indexes are those in `operations`. */
  conflicts: Conflict[];
  /** The latest revision in which something is already as the edit wants it. */
  revision: number;
  renamed: Renamed[];
  /** Whether something stands in the way that merging does not remove. */
  isBlocked: boolean;
}

/** Merges all operations of an edit with the rows that others wrote meanwhile. */
export function rebase(edit: Pick<Edit, 'operations' | 'rebased'>, found: readonly Found[]): Rebased {
  const byRow = new Map(
    found.map((one) => [one.kind === 'workspace' ? 'workspace' : `${one.kind}/${one.id}`, one]),
  );
  const result: Rebased = { operations: [], conflicts: [], revision: 0, renamed: [], isBlocked: false };
  const mayMerge = (edit.rebased ?? 0) < MAX_MERGES;
  for (const operation of edit.operations) {
    if (operation.op === 'move') {
      const moves = operation.moves.filter(({ id }) => !isGone(byRow.get(`component/${id}`)));
      if (moves.length === operation.moves.length) result.operations.push(operation);
      // Moving a component that somebody deleted means nothing.
      else if (moves.length > 0) result.operations.push({ ...operation, moves });
      continue;
    }
    const one = byRow.get(rowOf(operation) ?? '');
    if (one && operation.op !== 'workspace') rebaseOne(result, operation, one, mayMerge);
    else result.operations.push(operation);
  }
  return result;
}

function isGone(found: Found | undefined): boolean {
  return found !== undefined && (found.current ?? null) === null;
}

function rebaseOne(
  result: Rebased,
  operation: Extract<Operation, { id: string }>,
  found: Found,
  mayMerge: boolean,
): void {
  const theirs = (found.current ?? null) as Row | null;
  const keep = (next: Operation) => result.operations.push(next);
  const ask = (why: Conflict['why'], clashes: Conflict['clashes'] = []) => {
    const index = keep(operation) - 1;
    const at = typeof theirs?.updatedAt === 'number' ? { at: theirs.updatedAt } : {};
    result.conflicts.push({ index, why, clashes, current: theirs, by: found.changedBy ?? null, ...at });
  };
  const isDone = (row: Row) => {
    result.revision = Math.max(result.revision, row.revision);
  };
  if (operation.op === 'create') {
    if (theirs && contains(theirs, operation.fields)) {
      // An earlier request arrived and only its answer was lost; or somebody else created the same.
      isDone(theirs);
      if (String(theirs.id) !== operation.id) {
        result.renamed.push({ from: operation.id, to: String(theirs.id) });
      }
    } else if (found.why === 'taken' && operation.kind !== 'stakeholder') ask('taken');
    else block(result, operation);
    return;
  }
  if (!theirs) {
    if (operation.op === 'update') ask('deleted');
    return;
  }
  // The row is as expected: something else stands in the way, such as a row that refers to it.
  if (operation.base === theirs.revision) return block(result, operation);
  if (operation.op === 'delete') {
    if (mayMerge && saysTheSame(operation.fields, theirs)) keep({ ...operation, base: theirs.revision });
    else ask('changed');
    return;
  }
  const { fields, clashes } = merge(operation.before, operation.fields, theirs);
  if (clashes.length > 0 || !mayMerge) ask('changed', clashes);
  else if (Object.entries(fields).every(([field, value]) => same(value, theirs[field]))) isDone(theirs);
  else keep(rebasedOn(operation, fields, theirs));
}

function block(result: Rebased, operation: Operation): void {
  result.operations.push(operation);
  result.isBlocked = true;
}

/** Whether a row already has all that a new one was to have. */
function contains(row: Row, fields: Fields): boolean {
  return Object.entries(fields).every(
    ([field, value]) => field === 'person' || field === 'team' || same(row[field], value),
  );
}

/** An update that was meant for an older state of the row, as an update of the current state. */
export function rebasedOn(
  operation: Extract<Operation, { op: 'update' }>,
  fields: Fields,
  theirs: Row,
): Operation {
  const before = Object.fromEntries(Object.keys(operation.fields).map((field) => [field, theirs[field]]));
  return { ...operation, fields, before, base: theirs.revision };
}

/** Fields that do not matter when a row is deleted. */
const IGNORED = new Set([
  'x',
  'y',
  'revision',
  'updatedAt',
  'updatedBy',
  'createdAt',
  'createdBy',
  'componentId',
]);

/** Whether a row that is to be deleted has the same content as when its author decided that. */
function saysTheSame(seen: Fields, theirs: Row): boolean {
  const fields = Object.keys(seen).filter((field) => !IGNORED.has(field));
  return fields.length > 0 && fields.every((field) => same(seen[field], theirs[field]));
}
