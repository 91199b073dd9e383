/** Runs an action, or explains why it cannot run. Errors are shown as toasts. */
import { showError, showToast } from '@/ui/Toasts';
import type { Action } from './action';

export function runAction(action: Action): void {
  const refusal = action.refusal?.();
  if (refusal) {
    showToast(refusal);
    return;
  }
  try {
    Promise.resolve(action.run()).catch(showError);
  } catch (error) {
    showError(error);
  }
}
