/** Does an action; what goes wrong is said. */
import { complain } from '@/ui/Toasts';
import type { Action } from './action';

export function perform(action: Action): void {
  try {
    Promise.resolve(action.run()).catch(complain);
  } catch (error) {
    complain(error);
  }
}
