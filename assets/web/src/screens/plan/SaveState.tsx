/** Whether what one did is saved, in a word. */
import { usePlan } from '@/plan/store';

export function SaveState() {
  const waiting = usePlan((plan) => plan.queue.length);
  const connection = usePlan((plan) => plan.connection);
  const text = waiting > 0 ? `Saving ${waiting} …` : connection === 'live' ? 'Saved' : 'Not connected';
  return <span role="status">{text}</span>;
}
