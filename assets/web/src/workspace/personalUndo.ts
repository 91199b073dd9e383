/**
 * Undo of changes of personal views. They are not part of the workspace's history, so this window keeps the fields that
 * a change replaced, and writes them again.
 */
import { newId } from '@/core/newId';
import {
  type PersonalFields,
  type PersonalView,
  updatePersonalView,
  usePersonalViews,
} from './personalViews';
import { recordUndoStep, useWorkspace } from './store';
import type { PersonalChange } from './undoStack';

/** Changes personal views as one undo step. */
export function changePersonalViews(label: string, changes: readonly PersonalChange[]): void {
  const personal = applyPersonalChanges(changes);
  if (personal.length > 0) recordUndoStep({ id: newId(), label, personal, isPersonal: true });
}

/** Changes personal views as a part of the undo step of an edit, or as a step of its own if the edit is empty. */
export function changeWithEdit(editId: string, label: string, changes: readonly PersonalChange[]): void {
  const { done } = useWorkspace.getState();
  if (!done.some(({ id }) => id === editId)) {
    changePersonalViews(label, changes);
    return;
  }
  const personal = applyPersonalChanges(changes);
  if (personal.length === 0) return;
  const add = (step: (typeof done)[number]) => (step.id === editId ? { ...step, personal } : step);
  useWorkspace.setState({ done: done.map(add) });
}

/** Applies changes and returns those that revert them. Views that were deleted are skipped. */
export function applyPersonalChanges(changes: readonly PersonalChange[]): PersonalChange[] {
  return changes.flatMap(({ viewId, fields }) => {
    const view = usePersonalViews.getState().views.get(viewId);
    if (!view) return [];
    const before = replacedFields(view, fields);
    updatePersonalView(viewId, fields);
    return [{ viewId, fields: before }];
  });
}

/** The values of the fields that a change replaces. */
function replacedFields(view: PersonalView, fields: PersonalFields): PersonalFields {
  const empty = { description: '', places: [], lines: [] };
  const names = Object.keys(fields) as (keyof PersonalFields)[];
  return Object.fromEntries(
    names.map((name) => [name, view[name] ?? empty[name as keyof typeof empty]]),
  ) as PersonalFields;
}
