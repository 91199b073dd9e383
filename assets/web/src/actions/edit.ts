import { Redo2, Undo2 } from 'lucide-react';
import { isWorkspaceOpen } from '@/map/state/location';
import { showError, showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import { isUndoConflict, redo, undo, undoConflictMessage } from '@/workspace/undo';
import type { Action } from './action';

export const editActions: readonly Action[] = [
  {
    id: 'edit.undo',
    title: () => withLabel('Undo', useWorkspace.getState().done.at(-1)?.label),
    group: 'Edit',
    keys: ['Mod+Z'],
    icon: Undo2,
    isEnabled: () => isWorkspaceOpen() && useWorkspace.getState().done.length > 0,
    run: () => step(undo, 'done', 'Undone'),
  },
  {
    id: 'edit.redo',
    title: () => withLabel('Redo', useWorkspace.getState().undone.at(-1)?.label),
    group: 'Edit',
    keys: ['Mod+Shift+Z', 'Mod+Y'],
    icon: Redo2,
    isEnabled: () => isWorkspaceOpen() && useWorkspace.getState().undone.length > 0,
    run: () => step(redo, 'undone', 'Redone'),
  },
];

function withLabel(verb: string, label: string | undefined): string {
  return label ? `${verb}: ${label}` : verb;
}

async function step(work: () => Promise<string | undefined>, stack: 'done' | 'undone', word: string) {
  const label = useWorkspace.getState()[stack].at(-1)?.label;
  try {
    const did = await work();
    if (did) showToast(`${word}: ${did}`, undefined, 'undo');
  } catch (error) {
    if (!isUndoConflict(error)) return showError(error);
    showToast(`Can’t undo “${label}”: ${undoConflictMessage(error)}.`, {
      label: 'Skip',
      run: () => useWorkspace.setState((state) => ({ [stack]: state[stack].slice(0, -1) })),
    });
  }
}
