/**
 * Reads stored records of unsaved edits. Earlier clients stored one entry per operation, sent entries separately and
 * grouped them by `batch`. Their records are converted to edits.
 */
import { newId } from '@/core/newId';
import { compactOperations, type Operation, requiredRows, writtenRows } from './operation';
import { type Conflict, type Edit, type Queue, recoverQueue } from './queue';

/** An entry of earlier clients. A split operation has a key such as `key.0`. */
interface LegacyOperation {
  key: string;
  batch: string;
  label: string;
  operation: Operation;
  state: string;
  at: number;
}

/** A stored record: `edits`, or `queue` if it was written by an earlier client. */
export interface StoredQueue {
  edits?: Queue;
  queue?: readonly LegacyOperation[];
}

/** The edits of a record. */
export function parseStoredEdits({ edits = [], queue = [] }: StoredQueue): Queue {
  return recoverQueue([...fromOperations(queue), ...edits.map(withFieldConflicts)]);
}

/** Earlier clients stored the field conflicts of an edit as `clashes`. */
function withFieldConflicts(edit: Edit): Edit {
  if (!edit.conflicts) return edit;
  const conflicts = edit.conflicts.map((conflict) => {
    const { clashes = [] } = conflict as Conflict & { clashes?: Conflict['fieldConflicts'] };
    return { ...conflict, fieldConflicts: conflict.fieldConflicts ?? clashes };
  });
  return { ...edit, conflicts };
}

/**
 * Creates one edit per batch. Operations that needed a decision, and their dependents, become separate edits, because
 * they would block the rest of the batch. Edits without an incarnation belong to the current one.
 */
function fromOperations(queue: readonly LegacyOperation[]): Edit[] {
  const groups = new Map<string, LegacyOperation[]>();
  const blocked = new Set<string>();
  for (const entry of queue) {
    if (entry.state === 'saved') continue;
    const { operation, state, batch } = entry;
    const isStuck =
      state === 'refused' ||
      state === 'conflict' ||
      [...writtenRows(operation), ...requiredRows(operation)].some((row) => blocked.has(row));
    if (isStuck) for (const row of writtenRows(operation)) blocked.add(row);
    const id = isStuck ? `${batch}/undecided` : batch;
    const group = groups.get(id);
    if (group) group.push(entry);
    else groups.set(id, [entry]);
  }
  return [...groups].map(([id, entries]) => ({
    id,
    // The previous keys belong to other requests.
    key: newId(),
    label: entries[0]?.label ?? '',
    operations: compactOperations(entries.map(({ operation }) => operation)),
    state: 'waiting',
    at: Math.min(...entries.map(({ at }) => at)),
  }));
}
