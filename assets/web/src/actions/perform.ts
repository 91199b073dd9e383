/** Does an action, or says why that cannot be done now; what goes wrong is said. */
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
