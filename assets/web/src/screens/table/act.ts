/** Edits of the open workspace from the table, one edit per action, with Undo where something is removed. */
import type { Operation } from '@/core/sync/operation';
import { edit } from '@/plan/store';
import { sayDone } from '@/plan/undo';

export function act(label: string, operations: readonly Operation[]): string {
  return operations.length === 0 ? '' : edit(label, operations);
}

/** The same, with a toast and Undo. */
export function actAndTell(label: string, text: string, operations: readonly Operation[]): void {
  const id = act(label, operations);
  if (id) sayDone(text, id);
}
