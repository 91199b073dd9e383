/** Moves edits that a protected workspace rejected into a draft of it. */
import type { Operation } from '@/core/sync/operation';
import { applyQueue, type Edit, type Queue } from '@/core/sync/queue';
import { applyOutdatedEdit } from '@/core/sync/resolve';
import type { Rows } from '@/core/sync/rows';

/** Whether an edit was rejected because the workspace is protected. */
export function isProtectedEdit({ state, isProtected }: Edit): boolean {
  return state === 'refused' && isProtected === true;
}

/** The edits to move: those that were rejected, and those that would be. */
export function movableEdits(queue: Queue): Queue {
  return queue.filter((edit) => isProtectedEdit(edit) || (edit.state === 'waiting' && !isAccessEdit(edit)));
}

/** The access to a workspace is not a part of its map, and is not protected. */
function isAccessEdit({ operations }: Edit): boolean {
  return operations.some(
    (operation) =>
      operation.op === 'workspace' &&
      ('visibility' in operation.fields || 'organizationAccess' in operation.fields),
  );
}

/**
 * The edits as edits of the draft, whose rows have other revisions. Rows of the draft that differ from those that the
 * author saw are merged as usual.
 */
export function editsInDraft(edits: Queue, baseRows: Rows | null, draftRows: Rows): Queue {
  let queue: Queue = [];
  for (const edit of edits) {
    const operations = edit.operations.map((operation) => renumbered(operation, baseRows, draftRows));
    const moved: Edit = { ...edit, operations, state: 'outdated', isProtected: false };
    // Later edits can depend on rows that earlier edits create.
    queue = applyOutdatedEdit([...queue, moved], edit.id, applyQueue(draftRows, queue));
  }
  return queue;
}

/** Stakeholders have numbers, which are different in the draft. */
function renumbered(operation: Operation, baseRows: Rows | null, draftRows: Rows): Operation {
  if (operation.op !== 'update' && operation.op !== 'delete') return operation;
  if (operation.kind !== 'stakeholder') return operation;
  const before = baseRows?.stakeholder.get(operation.id);
  if (!before) return operation;
  const same = [...draftRows.stakeholder.values()].find(
    (row) =>
      row.componentId === before.componentId &&
      (row.personId ?? null) === (before.personId ?? null) &&
      (row.teamId ?? null) === (before.teamId ?? null) &&
      row.linkType === before.linkType,
  );
  return same ? { ...operation, id: String(same.id) } : operation;
}
