/** Edits the open workspace from the table: one edit, with undo offered where it removes something. */
import type { Operation } from '@/core/sync/operation';
import { edit } from '@/workspace/store';
import { showUndoToast } from '@/workspace/undo';

export function editTable(label: string, operations: readonly Operation[]): string {
  return operations.length === 0 ? '' : edit(label, operations);
}

/** The same, and says so, with the way back. */
export function editTableWithToast(label: string, text: string, operations: readonly Operation[]): void {
  const id = editTable(label, operations);
  if (id) showUndoToast(text, id);
}
