/** Edits the open workspace from the table: one edit, with undo offered where it removes something. */
import type { Operation } from '@/core/sync/operation';
import { edit } from '@/workspace/store';
import { sayDone } from '@/workspace/undo';

export function act(label: string, operations: readonly Operation[]): string {
  return operations.length === 0 ? '' : edit(label, operations);
}

/** The same, and says so, with the way back. */
export function actAndTell(label: string, text: string, operations: readonly Operation[]): void {
  const id = act(label, operations);
  if (id) sayDone(text, id);
}
