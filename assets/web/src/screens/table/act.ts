/** Does something to the open workspace from the table: one gesture, saved at once, with the way back where it takes away. */
import type { Operation } from '@/core/sync/operation';
import { save } from '@/plan/save';
import { edit, usePlan } from '@/plan/store';
import { undo } from '@/plan/undo';
import { complain, say } from '@/ui/Toasts';

export function act(label: string, operations: readonly Operation[]): string {
  if (operations.length === 0) return '';
  const batch = edit(label, operations);
  void save();
  return batch;
}

/** The same, and says so, with the way back. */
export function actAndTell(label: string, text: string, operations: readonly Operation[]): void {
  const batch = act(label, operations);
  if (!batch) return;
  const back = async () => {
    if (usePlan.getState().done.at(-1)?.batch !== batch) {
      say('You have done more since: undo that first, with Ctrl Z or Cmd Z.');
      return;
    }
    await undo();
  };
  say(text, { label: 'Undo', run: () => void back().catch(complain) });
}

/** "1 component", "3 components". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
