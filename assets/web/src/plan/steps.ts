/** Keeps what this window can undo and redo, so that a reload does not forget it. */
import type { Operation } from '@/core/sync/operation';

/** One entry of the undo stack. */
export interface Step {
  batch: string;
  label: string;
  /** How many operations it had. */
  size?: number;
  /** Of what was taken back before it was sent: how to do it again. */
  operations?: readonly Operation[];
}

interface Steps {
  done: readonly Step[];
  undone: readonly Step[];
}

/** More than anybody takes back one by one. */
const MOST = 200;

function keyOf(userId: number | undefined, workspaceId: string): string {
  return `planroom.steps.${userId}.${workspaceId}`;
}

/** What was kept for a workspace in this window. */
export function keptSteps(userId: number | undefined, workspaceId: string): Partial<Steps> {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(userId, workspaceId)) ?? '{}') as Partial<Steps>;
  } catch {
    return {};
  }
}

/** Keeps them. Where the browser has no room they are forgotten with the page. */
export function keepSteps(userId: number | undefined, plan: Steps & { workspaceId: string }): void {
  const steps: Steps = { done: plan.done.slice(-MOST), undone: plan.undone.slice(-MOST) };
  try {
    sessionStorage.setItem(keyOf(userId, plan.workspaceId), JSON.stringify(steps));
  } catch {
    sessionStorage.removeItem(keyOf(userId, plan.workspaceId));
  }
}
