/** Runs an action, or shows why it cannot run now. Shows errors. */
import { complain, say } from '@/ui/Toasts';
import type { Action } from './action';

export function perform(action: Action): void {
  const refusal = action.refusal?.();
  if (refusal) {
    say(refusal);
    return;
  }
  try {
    Promise.resolve(action.run()).catch(complain);
  } catch (error) {
    complain(error);
  }
}
