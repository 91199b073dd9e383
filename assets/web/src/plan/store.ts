/**
 * The workspace that is open: what the server has told of it, what is on its way to the server, and how the two look
 * together. Screens read `rows` and call `edit`; everything else follows from these.
 */
import { create } from 'zustand';
import type { Change, Presence } from '@/api/generated';
import { changed } from '@/core/sync/change';
import type { Gesture, Operation } from '@/core/sync/operation';
import { type Pending, type Queue, settled, shown } from '@/core/sync/queue';
import type { Rows } from '@/core/sync/rows';

/** How the connection to the server is. */
export type Connection = 'connecting' | 'live' | 'away';

export interface Plan {
  workspaceId: string;
  /** `loading` until the bundle is here; `missing` when there is no such workspace for this user. */
  status: 'loading' | 'ready' | 'missing' | 'failed';
  problem: string;
  told: Rows | null;
  queue: Queue;
  /** What is shown: `told` with the queue over it. */
  rows: Rows | null;
  connection: Connection;
  /** Others who are here. */
  present: readonly Presence[];
  /** Batches that this window has done and not taken back, the last one at the end. */
  done: readonly Step[];
  /** Batches that took back something, to be taken back themselves. */
  undone: readonly Step[];
}

/** One entry of the undo stack. */
export interface Step {
  batch: string;
  label: string;
}

const CLOSED: Plan = {
  workspaceId: '',
  status: 'loading',
  problem: '',
  told: null,
  queue: [],
  rows: null,
  connection: 'connecting',
  present: [],
  done: [],
  undone: [],
};

/** The workspace that is open in this window. */
export const usePlan = create<Plan>()(() => CLOSED);

/** Begins with another workspace, of which nothing is known yet. */
export function reset(workspaceId: string): void {
  usePlan.setState({ ...CLOSED, workspaceId });
}

/** Takes over what the server has told, and drops from the queue what that accounts for. */
export function tell(told: Rows): void {
  const queue = settled(usePlan.getState().queue, told);
  usePlan.setState({ told, queue, rows: shown(told, queue), status: 'ready', problem: '' });
}

/** Takes over one change. */
export function tellChange(change: Change): void {
  const { told } = usePlan.getState();
  if (told) tell(changed(told, change));
}

/** Changes the queue. */
export function enqueue(change: (queue: Queue) => Queue): void {
  const { told, queue: before } = usePlan.getState();
  const queue = told ? settled(change(before), told) : change(before);
  usePlan.setState({ queue, ...(told ? { rows: shown(told, queue) } : {}) });
}

/**
 * Does something: it is shown at once, and saved as soon as the server is there. All operations of one call are one
 * gesture: one entry of undo. Answers the batch that it is known by.
 */
export function edit(label: string, operations: readonly Operation[]): string {
  const gesture: Gesture = { id: crypto.randomUUID(), label, operations };
  enqueue((queue) => [...queue, ...operations.map((operation) => pendingOf(gesture, operation))]);
  usePlan.setState(({ done }) => ({ done: [...done, { batch: gesture.id, label }], undone: [] }));
  return gesture.id;
}

/** Remembers something that was written beside the queue, so that it can be taken back. */
export function recordStep(step: Step): void {
  usePlan.setState(({ done }) => ({ done: [...done, step], undone: [] }));
}

function pendingOf({ id, label }: Gesture, operation: Operation): Pending {
  return { key: crypto.randomUUID(), batch: id, label, operation, state: 'waiting' };
}
