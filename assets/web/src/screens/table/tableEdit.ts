/** Edits of the open workspace from the table. Each action is one edit, with an Undo button if something is removed. */
import type { Operation } from '@/core/sync/operation';
import { edit } from '@/workspace/store';
import { showUndoToast } from '@/workspace/undo';

export function editTable(label: string, operations: readonly Operation[]): string {
  return operations.length === 0 ? '' : edit(label, operations);
}

/** Like `editTable`, with a toast and Undo. */
export function editTableWithToast(label: string, text: string, operations: readonly Operation[]): void {
  const id = editTable(label, operations);
  if (id) showUndoToast(text, id);
}
