/** Stores the undo and redo stacks of this window, so that they survive a reload. */
import type { Operation } from '@/core/sync/operation';

/** An entry of the undo stack. */
export interface Step {
  /** The id of the edit; of the change set for writes outside the outbox. */
  id: string;
  label: string;
  /** The change set on the server; undefined until the edit is saved. */
  changeSetId?: string | undefined;
  /** The batch label of writes by earlier clients and other requests. */
  batch?: string | undefined;
  /** Set if the edit was undone before it was saved: the operations to redo it. */
  operations?: readonly Operation[] | undefined;
}

interface Steps {
  done: readonly Step[];
  undone: readonly Step[];
}

/** Maximum number of entries. */
const MAX_STEPS = 200;

function keyOf(userId: number | undefined, workspaceId: string): string {
  return `planroom.steps.${userId}.${workspaceId}`;
}

/** The stored stacks of a workspace in this window. */
export function keptSteps(userId: number | undefined, workspaceId: string): Partial<Steps> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(userId, workspaceId)) ?? '{}') as Partial<Steps>;
    return Object.fromEntries(Object.entries(kept).map(([stack, steps]) => [stack, steps.map(read)]));
  } catch {
    return {};
  }
}

/** Earlier clients identified an edit by its batch. */
function read(step: Step): Step {
  return step.id ? step : { ...step, id: step.batch ?? '' };
}

/** Stores the stacks. Without storage they are lost with the page. */
export function keepSteps(userId: number | undefined, plan: Steps & { workspaceId: string }): void {
  const steps: Steps = { done: plan.done.slice(-MAX_STEPS), undone: plan.undone.slice(-MAX_STEPS) };
  try {
    sessionStorage.setItem(keyOf(userId, plan.workspaceId), JSON.stringify(steps));
  } catch {
    sessionStorage.removeItem(keyOf(userId, plan.workspaceId));
  }
}

/**
 * An edit was saved: its entry now names the change set, or the batch label. An entry without either has nothing to
 * undo.
 */
export function withChangeSet(steps: Steps, id: string, saved: Pick<Step, 'changeSetId' | 'batch'>): Steps {
  const { changeSetId, batch } = saved;
  const inStack = (stack: readonly Step[]) =>
    stack.flatMap((step) =>
      step.id !== id ? [step] : changeSetId || batch ? [{ ...step, changeSetId, batch }] : [],
    );
  return { done: inStack(steps.done), undone: inStack(steps.undone) };
}
