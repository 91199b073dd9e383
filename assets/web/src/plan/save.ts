/** Sends what waits now. Nobody has to: whatever is added to the queue is sent by itself. */
import { outboxOf } from './outboxes';
import { usePlan } from './store';

export async function save(): Promise<void> {
  await outboxOf(usePlan.getState().workspaceId)?.pump();
}
