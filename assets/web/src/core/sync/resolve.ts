/** Resolutions by the author for edits that were not saved. */
import { freeVariant } from '@/core/ids';
import { newId } from '@/core/newId';
import { type Fields, type Operation, requiredRows, writtenRows } from './operation';
import { type Conflict, type Edit, type Queue, removeEdit, replaceRowId, updateEdit } from './queue';
import { type FoundConflict, rebase, rebaseUpdateOn } from './rejection';
import { type Kind, mapOf, type Rows } from './rows';

/** The values to write for conflicting fields, by {@link choiceKey}. */
export type ConflictChoices = ReadonlyMap<string, unknown>;

/** The key of a field in a conflict. Properties have the form `properties.tier`. */
export function choiceKey({ index }: Conflict, field: string): string {
  return `${index}/${field}`;
}

/** An edit that is sent again needs a new key, because the server would replay the rejection for the old key. */
function withNewKey(): Partial<Edit> {
  return { key: newId(), state: 'waiting', conflicts: undefined, problem: undefined, rebased: 0 };
}

/**
 * Resolves conflicts in favor of the author, with the chosen value of each field. `freeId` returns new IDs for rows
 * whose ID is taken.
 */
export function resolveWithMine(
  queue: Queue,
  id: string,
  choices: ConflictChoices = new Map(),
  freeId?: (operation: Extract<Operation, { op: 'create' }>) => string,
): Queue {
  const edit = queue.find((candidate) => candidate.id === id);
  if (!edit?.conflicts) return queue;
  const operations = edit.operations.map((operation, index) => {
    const conflict = edit.conflicts?.find((candidate) => candidate.index === index);
    return conflict ? overTheirs(operation, conflict, choices) : operation;
  });
  const taken = conflictingCreations(edit);
  const next = updateEdit(queue, id, { ...withNewKey(), operations });
  return freeId ? renamedRows(next, taken, freeId) : next;
}

function overTheirs(operation: Operation, conflict: Conflict, choices: ConflictChoices): Operation {
  const theirs = conflict.current as (Fields & { revision: number }) | null;
  if (conflict.why === 'taken') return operation;
  if (conflict.why === 'deleted' && operation.op === 'update') {
    const fields = { ...writable(theirs), ...operation.fields };
    return { op: 'create', kind: operation.kind, id: operation.id, fields };
  }
  if (!theirs) return 'base' in operation ? { ...operation, base: 0 } : operation;
  if (operation.op === 'delete') return { ...operation, base: theirs.revision };
  if (operation.op !== 'update') return operation;
  const fields = { ...operation.fields };
  for (const { field, mine } of conflict.fieldConflicts) {
    const key = choiceKey(conflict, field);
    write(fields, theirs, field, choices.has(key) ? choices.get(key) : mine);
  }
  return rebaseUpdateOn(operation, mergedProperties(operation, fields, theirs), theirs);
}

/** Properties are replaced as a whole, so keys added by others are kept. */
function mergedProperties(
  { before }: Extract<Operation, { op: 'update' }>,
  fields: Fields,
  theirs: Fields,
): Fields {
  if (!('properties' in fields)) return fields;
  const was = (before.properties ?? {}) as Fields;
  const mine = fields.properties as Fields;
  const result: Fields = { ...(theirs.properties as Fields) };
  for (const name of new Set([...Object.keys(was), ...Object.keys(mine)])) {
    if (JSON.stringify(was[name]) === JSON.stringify(mine[name])) continue;
    if (mine[name] === undefined) delete result[name];
    else result[name] = mine[name];
  }
  return { ...fields, properties: result };
}

function write(fields: Fields, theirs: Fields, field: string, value: unknown): void {
  if (!field.startsWith('properties.')) {
    fields[field] = value ?? '';
    return;
  }
  const name = field.slice('properties.'.length);
  const properties = { ...((fields.properties ?? theirs.properties ?? {}) as Fields) };
  if (value === undefined || value === null) delete properties[name];
  else properties[name] = value;
  fields.properties = properties;
}

const STAMPS = new Set(['id', 'workspaceId', 'revision', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy']);

function writable(row: Fields | null): Fields {
  return Object.fromEntries(Object.entries(row ?? {}).filter(([field]) => !STAMPS.has(field)));
}

/** Resolves conflicts in favor of the other user. The rest of the edit is kept. */
export function resolveWithTheirs(queue: Queue, id: string): Queue {
  const edit = queue.find((candidate) => candidate.id === id);
  if (!edit?.conflicts) return queue;
  const conflicts = edit.conflicts;
  const operations = edit.operations.flatMap((operation, index) => {
    const conflict = conflicts.find((candidate) => candidate.index === index);
    return conflict ? beside(operation, conflict) : [operation];
  });
  if (operations.length === 0) return removeEdit(queue, id);
  return updateEdit(queue, id, { ...withNewKey(), operations });
}

/** The part of an operation that does not conflict. */
function beside(operation: Operation, conflict: Conflict): Operation[] {
  const theirs = conflict.current as (Fields & { revision: number }) | null;
  if (operation.op !== 'update' || !theirs || conflict.why !== 'changed') return [];
  const { fieldConflicts } = conflict;
  const others = Object.keys(operation.fields).filter(
    (field) =>
      !fieldConflicts.some(
        (fieldConflict) => fieldConflict.field === field || fieldConflict.field.startsWith(`${field}.`),
      ),
  );
  if (others.length === 0 && fieldConflicts.every(({ field }) => !field.startsWith('properties.'))) return [];
  const choices = new Map(
    fieldConflicts.map(({ field, theirs: value }) => [choiceKey(conflict, field), value ?? theirs[field]]),
  );
  return [overTheirs(operation, conflict, choices)];
}

/** The operations of an edit that create rows with IDs that are taken. */
export function conflictingCreations({
  operations,
  conflicts = [],
}: Edit): Extract<Operation, { op: 'create' }>[] {
  return conflicts.flatMap(({ why, index }) => {
    const operation = operations[index];
    return why === 'taken' && operation?.op === 'create' ? [operation] : [];
  });
}

/** Assigns new IDs to rows whose ID is taken. */
export function withNewIds(
  queue: Queue,
  id: string,
  freeId: (operation: Extract<Operation, { op: 'create' }>) => string,
): Queue {
  const edit = queue.find((candidate) => candidate.id === id);
  if (!edit) return queue;
  return updateEdit(renamedRows(queue, conflictingCreations(edit), freeId), id, withNewKey());
}

/** Replaces references to the renamed rows, in this edit and in later edits. */
function renamedRows(
  queue: Queue,
  taken: readonly Extract<Operation, { op: 'create' }>[],
  freeId: (operation: Extract<Operation, { op: 'create' }>) => string,
): Queue {
  return taken.reduce<Queue>(
    (all, operation) => replaceRowId(all, operation.kind, operation.id, freeId(operation)),
    queue,
  );
}

/** Finds unused IDs similar to the taken ones: `payments-2`. Never returns the same ID twice. */
export function freeIds(
  rows: Rows,
  queue: Queue,
): (operation: Extract<Operation, { op: 'create' }>) => string {
  const usedIds = new Set(
    queue.flatMap(({ operations }) =>
      operations.flatMap((operation) => ('id' in operation ? [operation.id] : [])),
    ),
  );
  return ({ kind, id: taken }) => {
    const existing = mapOf(rows, kind);
    // IDs have at most 128 characters, those of processes at most 50.
    const stem = taken.slice(0, 44).replace(/-\d+$/, '');
    const found = freeVariant(stem, (id) => id === taken || existing.has(id) || usedIds.has(id));
    usedIds.add(found);
    return found;
  };
}

/** Removes an edit, and operations of later edits that depend on rows it would have created. */
export function discardEdit(queue: Queue, id: string): Queue {
  const first = queue.find((edit) => edit.id === id);
  const missing = new Set((first?.operations ?? []).flatMap(created));
  if (missing.size === 0) return removeEdit(queue, id);
  return queue.flatMap((edit) => {
    if (edit.id === id) return [];
    if (edit.state === 'sending' || edit.state === 'saved') return [edit];
    // Edits from before and after a restore do not depend on each other.
    if ((edit.state === 'outdated') !== (first?.state === 'outdated')) return [edit];
    const operations = edit.operations.filter((operation) => {
      // The move may include other components; the server reports the missing ones.
      if (
        operation.op === 'move' &&
        !missing.has(`view/${operation.viewId}`) &&
        operation.moves.some((move) => !missing.has(`component/${move.id}`))
      )
        return true;
      if (![...writtenRows(operation), ...requiredRows(operation)].some((row) => missing.has(row)))
        return true;
      for (const row of created(operation)) missing.add(row);
      return false;
    });
    if (operations.length === edit.operations.length) return [edit];
    return operations.length > 0 ? [{ ...edit, operations }] : [];
  });
}

function created(operation: Operation): string[] {
  return operation.op === 'create' ? writtenRows(operation) : [];
}

/** Queues a rejected edit to be sent again. */
export function retryEdit(queue: Queue, id: string): Queue {
  return updateEdit(queue, id, withNewKey());
}

/**
 * Queues an outdated edit to be applied to the current workspace. Its revisions are no longer valid, so it is merged
 * with the current rows, and the author decides about conflicts.
 */
export function applyOutdatedEdit(queue: Queue, id: string, rows: Rows): Queue {
  const edit = queue.find((candidate) => candidate.id === id);
  if (!edit) return queue;
  const renewed = edit.operations.map((operation) => confirmed(operation, rows));
  const { operations, conflicts } = rebase({ operations: renewed }, findConflicts(renewed, rows));
  if (operations.length === 0) return removeEdit(queue, id);
  const to: Partial<Edit> = { ...withNewKey(), operations, incarnation: rows.incarnation };
  return updateEdit(queue, id, conflicts.length > 0 ? { ...to, state: 'conflict', conflicts } : to);
}

/** The author has confirmed the deletion of the current row. */
function confirmed(operation: Operation, rows: Rows): Operation {
  if (operation.op !== 'delete' || Object.keys(operation.fields).length > 0) return operation;
  return { ...operation, base: mapOf(rows, operation.kind).get(operation.id)?.revision ?? 0 };
}

/** The conflicts of operations with the current rows, in the format of the server. */
function findConflicts(operations: readonly Operation[], rows: Rows): FoundConflict[] {
  const created = new Set<string>();
  return operations.flatMap((operation, index): FoundConflict[] => {
    if (operation.op === 'workspace') return [];
    if (operation.op === 'move') return missingMoves(operation, index, rows, created);
    if (operation.op === 'put') {
      const { kind, id } = operation;
      const isMissing = requiredRows(operation).some((row) => !created.has(row) && !hasRow(rows, row));
      return isMissing ? [{ index, kind, id, why: 'missing' }] : [];
    }
    return foundConflicts(operation, index, rows, created);
  });
}

function foundConflicts(
  operation: Extract<Operation, { op: 'create' | 'update' | 'delete' }>,
  index: number,
  rows: Rows,
  created: Set<string>,
): FoundConflict[] {
  const { op, kind, id } = operation;
  const current = mapOf(rows, kind).get(id);
  const found = { index, kind, id, current: current ?? null };
  if (op === 'create') {
    created.add(`${kind}/${id}`);
    return current ? [{ ...found, why: 'taken' }] : [];
  }
  if (!current) return created.has(`${kind}/${id}`) ? [] : [{ ...found, why: 'deleted' }];
  const isConfirmed = op === 'delete' && Object.keys(operation.fields).length === 0;
  return isConfirmed ? [] : [{ ...found, why: 'stale' }];
}

/** The moves of components that do not exist, or in a view that does not exist. */
function missingMoves(
  { viewId, moves }: Extract<Operation, { op: 'move' }>,
  index: number,
  rows: Rows,
  created: ReadonlySet<string>,
): FoundConflict[] {
  const isMissing = (row: string) => !created.has(row) && !hasRow(rows, row);
  if (viewId !== undefined && isMissing(`view/${viewId}`))
    return [{ index, kind: 'view', id: viewId, why: 'deleted' }];
  return moves.flatMap(({ id }) =>
    isMissing(`component/${id}`) ? [{ index, kind: 'component', id, why: 'deleted' }] : [],
  );
}

/** Whether a row exists, as `kind/id`. */
function hasRow(rows: Rows, row: string): boolean {
  const slash = row.indexOf('/');
  return mapOf(rows, row.slice(0, slash) as Kind).has(row.slice(slash + 1));
}
