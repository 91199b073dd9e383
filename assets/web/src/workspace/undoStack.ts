/** Stores the undo and redo stacks of this window, so that they survive a reload. */
import { ownName } from '@/api/base';
import type { EditTarget } from '@/core/sync/editTarget';
import type { Operation } from '@/core/sync/operation';
import type { PersonalFields } from './personalViews';

/** Fields to write to a personal view. */
export interface PersonalChange {
  viewId: string;
  fields: PersonalFields;
}

/** An entry of the undo stack. */
export interface UndoStep {
  /** The ID of the edit, or of the change set for writes that bypassed the outbox. */
  id: string;
  label: string;
  /** The row to show if the effect is on another screen. */
  target?: EditTarget | undefined;
  /** The change set on the server; undefined until the edit is saved. */
  changeSetId?: string | undefined;
  /** Set if the edit was undone before it was saved: the operations to redo it. */
  operations?: readonly Operation[] | undefined;
  /** What the step changes in personal views, in addition to an edit or without one. */
  personal?: readonly PersonalChange[] | undefined;
  /** Whether the step changes personal views only. */
  isPersonal?: boolean | undefined;
}

interface UndoStacks {
  done: readonly UndoStep[];
  undone: readonly UndoStep[];
}

/** Maximum number of entries. */
const MAX_STEPS = 200;

function keyOf(userId: number | undefined, workspaceId: string): string {
  return ownName(`planroom.steps.${userId}.${workspaceId}`);
}

/** The stored stacks of a workspace in this window. */
export function loadUndoStacks(userId: number | undefined, workspaceId: string): Partial<UndoStacks> {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(userId, workspaceId)) ?? '{}') as Partial<UndoStacks>;
  } catch {
    return {};
  }
}

/** Stores the stacks. Without storage, they are lost when the page is closed. */
export function saveUndoStacks(
  userId: number | undefined,
  state: UndoStacks & { workspaceId: string },
): void {
  // Positions of personal views may be large. They are lost when the page is reloaded.
  const stored = (stack: readonly UndoStep[]) =>
    stack
      .filter((step) => !step.isPersonal)
      .slice(-MAX_STEPS)
      .map(({ personal: _, ...step }) => step);
  const steps: UndoStacks = { done: stored(state.done), undone: stored(state.undone) };
  try {
    sessionStorage.setItem(keyOf(userId, state.workspaceId), JSON.stringify(steps));
  } catch {
    sessionStorage.removeItem(keyOf(userId, state.workspaceId));
  }
}

/** Adds the change set to the entry of a saved edit. An entry without one has nothing to undo. */
export function withChangeSet(steps: UndoStacks, id: string, changeSetId: string | undefined): UndoStacks {
  const inStack = (stack: readonly UndoStep[]) =>
    stack.flatMap((step) => (step.id !== id ? [step] : changeSetId ? [{ ...step, changeSetId }] : []));
  return { done: inStack(steps.done), undone: inStack(steps.undone) };
}
