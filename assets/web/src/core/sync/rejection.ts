/** Decides what to do with an edit that the server did not save. */
import type { ErrorBody } from '@/api/generated';
import { describeOperation } from './describe';
import { isSameValue, merge } from './merge';
import type { Fields, Operation } from './operation';
import type { Conflict, Edit } from './queue';

/** How the server refused. */
export interface Rejection {
  status: number;
  /** Whether the same request may succeed later. */
  isTemporary: boolean;
  /** How long to wait, in milliseconds, where the server said so. */
  retryAfter?: number | undefined;
  /** In words, for a person. */
  message: string;
  body: Omit<Partial<ErrorBody>, 'conflicts'> & { conflicts?: readonly FoundConflict[] };
}

/** What stands in the way of one operation. */
export interface FoundConflict {
  /** Index of the operation. */
  index: number;
  kind: string;
  /** Of the row that the operation writes; null when the server was to choose it. */
  id: unknown;
  /** The user can resolve `changed`, `deleted` and `taken`; any other value is a rejection. */
  why: string;
  /** In words. */
  message?: string;
  /** The row as it is now; null when there is none. */
  current?: unknown;
  changedBy?: Conflict['by'];
}

export type RejectionOutcome =
  /** The server is away, or requires a sign-in: send the same later. */
  | { is: 'wait'; milliseconds?: number | undefined }
  /** Nothing of it is left to be saved, as of this revision. */
  | { is: 'done'; revision: number }
  /** Send these operations instead: they include what others wrote. */
  | { is: 'again'; operations: readonly Operation[]; renamed: readonly RenamedRow[] }
  /** The author has to decide; the other operations are merged already. */
  | { is: 'conflict'; operations: readonly Operation[]; conflicts: readonly Conflict[] }
  /** It was made before the server was restored. */
  | { is: 'outdated' }
  | { is: 'refused'; problem: string };

/** A row that turned out to exist already, under another id. */
export interface RenamedRow {
  from: string;
  to: string;
}

type Row = Fields & { revision: number };

/** After this many merges of one edit its author is asked instead: somebody else writes the same row all the time. */
const MAX_MERGES = 8;

export function handleRejection(edit: Edit, refusal: Rejection): RejectionOutcome {
  const { status, isTemporary, retryAfter, message, body } = refusal;
  if (isTemporary || status === 401) return { is: 'wait', milliseconds: retryAfter };
  if (body.code === 'other_incarnation') return { is: 'outdated' };
  const found = body.conflicts ?? [];
  if ((status !== 409 && status !== 412) || found.length === 0) {
    return { is: 'refused', problem: rejectionProblem(edit, message, body.field) };
  }
  const { operations, conflicts, revision, renamed, blocked } = rebase(edit, found);
  // What else is in the way may follow from these, and is looked at once they are decided.
  if (conflicts.length > 0) return { is: 'conflict', operations, conflicts };
  if (operations.length === 0) return { is: 'done', revision };
  const isSame =
    operations.length === edit.operations.length &&
    operations.every((one, at) => one === edit.operations[at]);
  const isRefused = isSame || (blocked.length > 0 && (edit.rebased ?? 0) >= MAX_MERGES);
  return isRefused
    ? { is: 'refused', problem: blocked[0]?.message ?? message }
    : { is: 'again', operations, renamed };
}

const FIELD = /^operations\[(\d+)\]\.?(?:(?:row|fields)\.?)?(.*)$/;

/** The server's words without the place in the request, which a program made: people know the field. */
export function rejectionMessage(message: string, field = ''): string {
  const name = FIELD.exec(field)?.[2];
  if (name === undefined || !message.startsWith(field)) return message;
  const problem = message.slice(field.length).replace(/^: /, '');
  return name ? `${name}: ${problem}` : problem;
}

/** The same; of an edit of several operations with what the refused one does. */
function rejectionProblem({ operations }: Edit, message: string, field = ''): string {
  const problem = rejectionMessage(message, field);
  const operation = operations[Number(FIELD.exec(field)?.[1] ?? Number.NaN)];
  return operation && operations.length > 1 ? `${describeOperation(operation, null)}: ${problem}` : problem;
}

export interface RebaseResult {
  /** What is left to be written, over what others wrote. */
  operations: Operation[];
  /** What both wrote; indexes are those in `operations`. */
  conflicts: Conflict[];
  /** The latest revision in which something is already as the edit wants it. */
  revision: number;
  renamed: RenamedRow[];
  /** What merging does not remove. */
  blocked: FoundConflict[];
}

/** Merges all operations of an edit with what others wrote meanwhile. */
export function rebase(
  edit: Pick<Edit, 'operations' | 'rebased'>,
  found: readonly FoundConflict[],
): RebaseResult {
  const byIndex = new Map<number, FoundConflict[]>();
  for (const one of found) byIndex.set(one.index, [...(byIndex.get(one.index) ?? []), one]);
  const result: RebaseResult = { operations: [], conflicts: [], revision: 0, renamed: [], blocked: [] };
  const mayMerge = (edit.rebased ?? 0) < MAX_MERGES;
  for (const [index, operation] of edit.operations.entries()) {
    const here = byIndex.get(index) ?? [];
    if (operation.op === 'move') rebaseMove(result, operation, here);
    else if (here[0] && operation.op !== 'workspace') rebaseOne(result, operation, here[0], mayMerge);
    else if (here[0]) block(result, operation, here[0]);
    else result.operations.push(operation);
  }
  return result;
}

/** Moving a component that somebody deleted means nothing. */
function rebaseMove(
  { operations }: RebaseResult,
  operation: Extract<Operation, { op: 'move' }>,
  found: readonly FoundConflict[],
): void {
  const gone = new Set(found.filter(({ why }) => why === 'deleted').map(({ id }) => id));
  const moves = operation.moves.filter(({ id }) => !gone.has(id));
  if (moves.length === operation.moves.length) operations.push(operation);
  else if (moves.length > 0) operations.push({ ...operation, moves });
}

function rebaseOne(
  result: RebaseResult,
  operation: Extract<Operation, { id: string }>,
  found: FoundConflict,
  mayMerge: boolean,
): void {
  const theirs = (found.current ?? null) as Row | null;
  if (operation.op === 'create') rebaseCreation(result, operation, found, theirs);
  else if (found.why === 'deleted') {
    // To delete what is gone means nothing.
    if (operation.op === 'update') ask(result, operation, found, 'deleted');
  } else if (found.why !== 'stale' || theirs === null) block(result, operation, found);
  else if (operation.op === 'update') rebaseUpdate(result, operation, found, theirs, mayMerge);
  else if (mayMerge && hasSameContent(operation.fields, theirs)) {
    result.operations.push({ ...operation, base: theirs.revision });
  } else ask(result, operation, found, 'changed');
}

function rebaseCreation(
  result: RebaseResult,
  operation: Extract<Operation, { op: 'create' }>,
  found: FoundConflict,
  theirs: Row | null,
): void {
  const { id, kind, fields } = operation;
  if (found.why !== 'taken') block(result, operation, found);
  else if (theirs && contains(theirs, fields)) {
    // An earlier request arrived and only its answer was lost; or somebody else created the same.
    result.revision = Math.max(result.revision, theirs.revision);
    if (String(theirs.id) !== id) result.renamed.push({ from: id, to: String(theirs.id) });
  } else if (kind === 'stakeholder') block(result, operation, found);
  else ask(result, operation, found, 'taken');
}

function rebaseUpdate(
  result: RebaseResult,
  operation: Extract<Operation, { op: 'update' }>,
  found: FoundConflict,
  theirs: Row,
  mayMerge: boolean,
): void {
  const { fields, clashes } = merge(operation.before, operation.fields, theirs);
  if (clashes.length > 0 || !mayMerge) ask(result, operation, found, 'changed', clashes);
  else if (Object.entries(fields).every(([field, value]) => isSameValue(value, theirs[field]))) {
    // It is so already, also where an earlier request arrived and only its answer was lost.
    result.revision = Math.max(result.revision, theirs.revision);
  } else result.operations.push(rebaseUpdateOn(operation, fields, theirs));
}

function ask(
  { operations, conflicts }: RebaseResult,
  operation: Operation,
  found: FoundConflict,
  why: Conflict['why'],
  clashes: Conflict['clashes'] = [],
): void {
  const current = (found.current ?? null) as Row | null;
  const at = typeof current?.updatedAt === 'number' ? { at: current.updatedAt } : {};
  const by = found.changedBy ?? null;
  conflicts.push({ index: operations.push(operation) - 1, why, clashes, current, by, ...at });
}

function block({ operations, blocked }: RebaseResult, operation: Operation, found: FoundConflict): void {
  operations.push(operation);
  blocked.push(found);
}

/** Whether a row already has all that a new one was to have. */
function contains(row: Row, fields: Fields): boolean {
  return Object.entries(fields).every(
    ([field, value]) => field === 'person' || field === 'team' || isSameValue(row[field], value),
  );
}

/** An update that was meant for an older state of the row, as an update of the current state. */
export function rebaseUpdateOn(
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
function hasSameContent(seen: Fields, theirs: Row): boolean {
  const fields = Object.keys(seen).filter((field) => !IGNORED.has(field));
  return fields.length > 0 && fields.every((field) => isSameValue(seen[field], theirs[field]));
}
