/** Decides how to handle an edit that the server did not save. */
import type { ErrorBody } from '@/api/generated';
import { type FieldPath, pathText, problemText } from '@/api/problem';
import { describeOperation } from './describe';
import { isSameValue, merge } from './merge';
import type { Fields, Operation } from './operation';
import type { Conflict, Edit, SeenPosition } from './queue';
import { viewRowId } from './viewRows';

/** A rejected request. */
export interface Rejection {
  status: number;
  /** Whether the same request may succeed later. */
  isTemporary: boolean;
  /** The delay that the server requested, in milliseconds. */
  retryAfter?: number | undefined;
  /** The message for the user. */
  message: string;
  body: Omit<Partial<ErrorBody>, 'conflicts'> & { conflicts?: readonly FoundConflict[] };
}

/** A conflict of one operation, as reported by the server. */
export interface FoundConflict {
  /** Index of the operation. */
  index: number;
  kind: string;
  /** The ID of the row; null if the server would have assigned it. */
  id: unknown;
  /** The user can resolve `changed`, `deleted` and `taken`. Any other value is a rejection. */
  why: string;
  /** The message for the user. */
  message?: string;
  /** The current row; null if there is none. */
  current?: unknown;
  changedBy?: Conflict['by'];
}

export type RejectionOutcome =
  /** The server is unreachable or requires a sign-in. Send the same request later. */
  | { is: 'wait'; milliseconds?: number | undefined }
  /** All changes are already saved as of this revision. */
  | { is: 'done'; revision: number }
  /** Send these operations instead, which are merged with changes by others. */
  | { is: 'again'; operations: readonly Operation[]; seen: Edit['seen']; renamed: readonly RenamedRow[] }
  /** The author has to decide. The other operations are already merged. */
  | { is: 'conflict'; operations: readonly Operation[]; conflicts: readonly Conflict[] }
  /** The edit was made before the server was restored. */
  | { is: 'outdated' }
  | { is: 'refused'; problem: string; isProtected?: boolean };

/** A row that already exists with another ID. */
export interface RenamedRow {
  from: string;
  to: string;
}

type Row = Fields & { revision: number };

/** After this many merges, let the author decide, because someone else keeps writing the same row. */
const MAX_MERGES = 8;

export function handleRejection(edit: Edit, refusal: Rejection): RejectionOutcome {
  const { status, isTemporary, retryAfter, message, body } = refusal;
  if (isTemporary || status === 401) return { is: 'wait', milliseconds: retryAfter };
  if (body.code === 'other_incarnation') return { is: 'outdated' };
  if (body.code === 'protected') return { is: 'refused', problem: message, isProtected: true };
  const found = body.conflicts ?? [];
  if ((status !== 409 && status !== 412) || found.length === 0) {
    return { is: 'refused', problem: rejectionProblem(edit, refusal) };
  }
  const { operations, conflicts, revision, renamed, blocked, seen } = rebase(edit, found);
  // Other conflicts may be consequences of these, so handle them after the decision.
  if (conflicts.length > 0) return { is: 'conflict', operations, conflicts };
  if (operations.length === 0) return { is: 'done', revision };
  const isSame =
    seen === edit.seen &&
    operations.length === edit.operations.length &&
    operations.every((operation, at) => operation === edit.operations[at]);
  const isRefused = isSame || (blocked.length > 0 && (edit.rebased ?? 0) >= MAX_MERGES);
  return isRefused
    ? { is: 'refused', problem: blocked[0]?.message ?? message }
    : { is: 'again', operations, seen, renamed };
}

/** The location of an error in a list of operations. */
export interface OperationField {
  /** Index of the operation. */
  index: number;
  /** The path in the row of the operation; empty for the operation as a whole. */
  path: FieldPath;
}

/** The operation and field at fault; undefined if the error concerns something else. */
export function operationField(path: FieldPath = []): OperationField | undefined {
  const [list, index, part, ...rest] = path;
  if (list !== 'operations' || typeof index !== 'number') return undefined;
  if (part === undefined || part === 'row' || part === 'fields') return { index, path: rest };
  return { index, path: [part, ...rest] };
}

/** The message for the user. For edits with several operations, includes a description of the rejected one. */
function rejectionProblem({ operations }: Edit, { message, body }: Rejection): string {
  const at = operationField(body.path);
  if (!at || !body.problem) return message;
  const name = pathText(at.path);
  const problem = name ? `${name}: ${problemText(body.problem)}` : problemText(body.problem);
  const operation = operations[at.index];
  return operation && operations.length > 1 ? `${describeOperation(operation, null)}: ${problem}` : problem;
}

export interface RebaseResult {
  /** The remaining operations, based on the current rows. */
  operations: Operation[];
  /** The conflicting changes. Indexes refer to `operations`. */
  conflicts: Conflict[];
  /** The latest revision in which the rows already have the new values. */
  revision: number;
  renamed: RenamedRow[];
  /** Conflicts that cannot be resolved by merging. */
  blocked: FoundConflict[];
  /** The positions that the operations expect. */
  seen: Edit['seen'];
}

/** Merges all operations of an edit with concurrent changes by others. */
export function rebase(
  edit: Pick<Edit, 'operations' | 'rebased' | 'seen'>,
  found: readonly FoundConflict[],
): RebaseResult {
  const byIndex = new Map<number, FoundConflict[]>();
  for (const conflict of found)
    byIndex.set(conflict.index, [...(byIndex.get(conflict.index) ?? []), conflict]);
  const result: RebaseResult = {
    operations: [],
    conflicts: [],
    revision: 0,
    renamed: [],
    blocked: [],
    seen: edit.seen,
  };
  const mayMerge = (edit.rebased ?? 0) < MAX_MERGES;
  for (const [index, operation] of edit.operations.entries()) {
    const conflicts = byIndex.get(index) ?? [];
    if (operation.op === 'move') rebaseMove(result, operation, conflicts);
    else if (operation.op === 'put') rebasePut(result, operation, conflicts);
    else if (conflicts[0] && operation.op !== 'workspace')
      rebaseOne(result, operation, conflicts[0], mayMerge);
    else if (conflicts[0]) addBlocked(result, operation, conflicts[0]);
    else result.operations.push(operation);
  }
  return result;
}

/** Moves of deleted components, in deleted views, and of components that have been moved since are dropped. */
function rebaseMove(
  result: RebaseResult,
  operation: Extract<Operation, { op: 'move' }>,
  found: readonly FoundConflict[],
): void {
  const gone = found.filter(({ why }) => why === 'deleted' || why === 'missing');
  const deletedIds = new Set(gone.map(({ id }) => id));
  const { viewId } = operation;
  const isGone = (id: string) =>
    deletedIds.has(id) ||
    (viewId !== undefined &&
      (deletedIds.has(viewRowId(viewId, id)) || gone.some(({ kind }) => kind === 'view')));
  const stale = new Map(
    found.filter(({ why }) => why === 'stale').map((conflict) => [conflict.id, conflict]),
  );
  const isOutdated = (id: string) => {
    const rowId = viewId === undefined ? id : viewRowId(viewId, id);
    const theirs = stale.get(rowId)?.current as SeenPosition | null | undefined;
    if (!theirs) return false;
    const row = viewId === undefined ? `component/${rowId}` : `view-place/${rowId}`;
    const seen = result.seen?.[row];
    if (seen && seen.x === theirs.x && seen.y === theirs.y) {
      // Other fields were changed.
      result.seen = { ...result.seen, [row]: { ...seen, revision: theirs.revision } };
      return false;
    }
    // It was moved since, possibly by an earlier request that was saved but whose response was lost.
    result.revision = Math.max(result.revision, theirs.revision);
    return true;
  };
  const moves = operation.moves.filter(({ id }) => !isGone(id) && !isOutdated(id));
  if (moves.length === operation.moves.length) result.operations.push(operation);
  else if (moves.length > 0) result.operations.push({ ...operation, moves });
}

/** The lines of deleted relationships, and in deleted views, are dropped. */
function rebasePut(
  result: RebaseResult,
  operation: Extract<Operation, { op: 'put' }>,
  found: readonly FoundConflict[],
): void {
  const [conflict] = found;
  if (conflict?.why === 'deleted' || conflict?.why === 'missing') return;
  if (conflict) addBlocked(result, operation, conflict);
  else result.operations.push(operation);
}

function rebaseOne(
  result: RebaseResult,
  operation: Exclude<Extract<Operation, { id: string }>, { op: 'put' }>,
  found: FoundConflict,
  mayMerge: boolean,
): void {
  const theirs = (found.current ?? null) as Row | null;
  if (operation.op === 'create') rebaseCreation(result, operation, found, theirs);
  else if (found.why === 'deleted') {
    // Deleting a deleted row has no effect.
    if (operation.op === 'update') addConflict(result, operation, found, 'deleted');
  } else if (found.why !== 'stale' || theirs === null) addBlocked(result, operation, found);
  else if (operation.op === 'update') rebaseUpdate(result, operation, found, theirs, mayMerge);
  else if (mayMerge && hasSameContent(operation.fields, theirs)) {
    result.operations.push({ ...operation, base: theirs.revision });
  } else addConflict(result, operation, found, 'changed');
}

function rebaseCreation(
  result: RebaseResult,
  operation: Extract<Operation, { op: 'create' }>,
  found: FoundConflict,
  theirs: Row | null,
): void {
  const { id, kind, fields } = operation;
  if (found.why !== 'taken') addBlocked(result, operation, found);
  else if (theirs && contains(theirs, fields)) {
    // An earlier request was saved but its response was lost, or someone else created the same row.
    result.revision = Math.max(result.revision, theirs.revision);
    if (String(theirs.id) !== id) result.renamed.push({ from: id, to: String(theirs.id) });
  } else if (kind === 'stakeholder') addBlocked(result, operation, found);
  else addConflict(result, operation, found, 'taken');
}

function rebaseUpdate(
  result: RebaseResult,
  operation: Extract<Operation, { op: 'update' }>,
  found: FoundConflict,
  theirs: Row,
  mayMerge: boolean,
): void {
  const { fields, fieldConflicts } = merge(operation.before, operation.fields, theirs);
  if (fieldConflicts.length > 0 || !mayMerge)
    addConflict(result, operation, found, 'changed', fieldConflicts);
  else if (Object.entries(fields).every(([field, value]) => isSameValue(value, theirs[field]))) {
    // The row already has these values, possibly because an earlier request was saved but its response was lost.
    result.revision = Math.max(result.revision, theirs.revision);
  } else result.operations.push(rebaseUpdateOn(operation, fields, theirs));
}

function addConflict(
  { operations, conflicts }: RebaseResult,
  operation: Operation,
  found: FoundConflict,
  why: Conflict['why'],
  fieldConflicts: Conflict['fieldConflicts'] = [],
): void {
  const current = (found.current ?? null) as Row | null;
  const at = typeof current?.updatedAt === 'number' ? { at: current.updatedAt } : {};
  const by = found.changedBy ?? null;
  conflicts.push({ index: operations.push(operation) - 1, why, fieldConflicts, current, by, ...at });
}

function addBlocked({ operations, blocked }: RebaseResult, operation: Operation, found: FoundConflict): void {
  operations.push(operation);
  blocked.push(found);
}

/** Whether a row already has all fields of the new one. */
function contains(row: Row, fields: Fields): boolean {
  return Object.entries(fields).every(
    ([field, value]) => field === 'person' || field === 'team' || isSameValue(row[field], value),
  );
}

/** Rebases an update onto the current row. */
export function rebaseUpdateOn(
  operation: Extract<Operation, { op: 'update' }>,
  fields: Fields,
  theirs: Row,
): Operation {
  const before = Object.fromEntries(Object.keys(operation.fields).map((field) => [field, theirs[field]]));
  return { ...operation, fields, before, base: theirs.revision };
}

/** Fields that are irrelevant when deciding about a deletion. */
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

/** Whether the content of a row is unchanged since its author decided to delete it. */
function hasSameContent(seen: Fields, theirs: Row): boolean {
  const fields = Object.keys(seen).filter((field) => !IGNORED.has(field));
  return fields.length > 0 && fields.every((field) => isSameValue(seen[field], theirs[field]));
}
