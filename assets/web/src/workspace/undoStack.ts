/** Keeps what this window can undo and redo, so that a reload does not forget it. */
import type { Operation } from '@/core/sync/operation';

/** One entry of the undo stack. */
export interface UndoStep {
  /** The edit that it is; for what was not written by the outbox, the change set. */
  id: string;
  label: string;
  /** The change set on the server; none as long as the edit is not saved. */
  changeSetId?: string | undefined;
  /** The label under which an earlier client, or another kind of request, wrote it. */
  batch?: string | undefined;
  /** Set when the edit was undone before it was saved: how to do it again. */
  operations?: readonly Operation[] | undefined;
}

interface UndoStacks {
  done: readonly UndoStep[];
  undone: readonly UndoStep[];
}

/** More than anybody undoes one by one. */
const MAX_STEPS = 200;

function keyOf(userId: number | undefined, workspaceId: string): string {
  return `planroom.steps.${userId}.${workspaceId}`;
}

/** What was kept for a workspace in this window. */
export function loadUndoStacks(userId: number | undefined, workspaceId: string): Partial<UndoStacks> {
  try {
    const stored = JSON.parse(
      sessionStorage.getItem(keyOf(userId, workspaceId)) ?? '{}',
    ) as Partial<UndoStacks>;
    return Object.fromEntries(Object.entries(stored).map(([stack, steps]) => [stack, steps.map(read)]));
  } catch {
    return {};
  }
}

/** Earlier clients knew an edit by its batch. */
function read(step: UndoStep): UndoStep {
  return step.id ? step : { ...step, id: step.batch ?? '' };
}

/** Keeps them. Where the browser has no room they are forgotten with the page. */
export function saveUndoStacks(
  userId: number | undefined,
  state: UndoStacks & { workspaceId: string },
): void {
  const steps: UndoStacks = { done: state.done.slice(-MAX_STEPS), undone: state.undone.slice(-MAX_STEPS) };
  try {
    sessionStorage.setItem(keyOf(userId, state.workspaceId), JSON.stringify(steps));
  } catch {
    sessionStorage.removeItem(keyOf(userId, state.workspaceId));
  }
}

/**
 * An edit is saved: its entry names the change set from now on, or the label under which undo finds it. An entry with
 * neither has nothing to undo.
 */
export function withChangeSet(
  steps: UndoStacks,
  id: string,
  saved: Pick<UndoStep, 'changeSetId' | 'batch'>,
): UndoStacks {
  const { changeSetId, batch } = saved;
  const inStack = (stack: readonly UndoStep[]) =>
    stack.flatMap((step) =>
      step.id !== id ? [step] : changeSetId || batch ? [{ ...step, changeSetId, batch }] : [],
    );
  return { done: inStack(steps.done), undone: inStack(steps.undone) };
}
