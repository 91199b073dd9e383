/** The row to show for an edit, so that users find its effect from another screen. */

import type { Operation } from './operation';
import { splitViewRowId } from './viewRows';

export interface EditTarget {
  kind: 'component' | 'relationship' | 'process' | 'note' | 'view' | 'tour' | 'decision';
  id: string;
  /** Whether the edit only moves components, which is visible only on the map or in a view. */
  isMove: boolean;
}

/** The target of an edit: its first component, relationship, process, note, view, tour or decision. */
export function editTarget(operations: readonly Operation[]): EditTarget | undefined {
  const isMove = operations.every(({ op }) => op === 'move');
  for (const operation of operations) {
    const row = targetRow(operation);
    if (row) return { ...row, isMove };
  }
  return undefined;
}

function targetRow(operation: Operation): Omit<EditTarget, 'isMove'> | undefined {
  if (operation.op === 'workspace') return undefined;
  if (operation.op === 'move') {
    if (operation.viewId !== undefined) return { kind: 'view', id: operation.viewId };
    const [first] = operation.moves;
    return first && { kind: 'component', id: first.id };
  }
  const { kind, id, fields } = operation;
  if (kind === 'view-place' || kind === 'view-line') return { kind: 'view', id: splitViewRowId(id)[0] };
  if (kind !== 'stakeholder') return { kind, id };
  return typeof fields.componentId === 'string' ? { kind: 'component', id: fields.componentId } : undefined;
}
