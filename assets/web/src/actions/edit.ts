import { Redo2, Undo2 } from 'lucide-react';
import type { EditTarget } from '@/core/sync/editTarget';
import {
  currentLocation,
  isMapScreen,
  isWorkspaceOpen,
  openWorkspacePath,
  showComponent,
} from '@/map/state/location';
import { goToView } from '@/map/state/viewNavigation';
import { navigate } from '@/routing/location';
import { showError, showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import { isUndoConflict, isUndoPending, redo, undo, undoConflictMessage } from '@/workspace/undo';
import type { UndoStep } from '@/workspace/undoStack';
import type { Action } from './action';

export const editActions: readonly Action[] = [
  {
    id: 'edit.undo',
    title: () => withLabel('Undo', useWorkspace.getState().done.at(-1)?.label),
    group: 'Edit',
    keys: ['Mod+Z'],
    icon: Undo2,
    isEnabled: () => isWorkspaceOpen() && hasStep('done'),
    run: () => step(undo, 'done', 'Undone'),
  },
  {
    id: 'edit.redo',
    title: () => withLabel('Redo', useWorkspace.getState().undone.at(-1)?.label),
    group: 'Edit',
    keys: ['Mod+Shift+Z', 'Mod+Y'],
    icon: Redo2,
    isEnabled: () => isWorkspaceOpen() && hasStep('undone'),
    run: () => step(redo, 'undone', 'Redone'),
  },
];

/** Whether there is a step to undo or redo, or may be when the server responds to the last one. */
function hasStep(stack: 'done' | 'undone'): boolean {
  return useWorkspace.getState()[stack].length > 0 || isUndoPending();
}

function withLabel(verb: string, label: string | undefined): string {
  return label ? `${verb}: ${label}` : verb;
}

async function step(work: () => Promise<UndoStep | undefined>, stack: 'done' | 'undone', word: string) {
  const label = useWorkspace.getState()[stack].at(-1)?.label;
  try {
    const did = await work();
    if (did) showToast(`${word}: ${did.label}`, showAction(did.target), 'undo');
  } catch (error) {
    if (!isUndoConflict(error)) return showError(error);
    showToast(`Can’t undo ${label ? `“${label}”` : 'the edit'}: ${undoConflictMessage(error)}.`, {
      label: 'Skip',
      run: () => useWorkspace.setState((state) => ({ [stack]: state[stack].slice(0, -1) })),
    });
  }
}

/** A button that shows the effect of an edit, if it is on another screen. */
function showAction(target: EditTarget | undefined) {
  if (!target || isVisibleOn(currentLocation().rest, target)) return undefined;
  return { label: 'Show', run: () => isWorkspaceOpen() && showTarget(target) };
}

/** Whether a screen of the workspace shows the effect of an edit. */
export function isVisibleOn(screen: string, { kind, id, isMove }: EditTarget): boolean {
  if (kind === 'view') return screen === `v/${id}`;
  if (kind === 'tour') return isMapScreen(screen);
  if (kind === 'decision') return screen === 'decisions' || screen === `decisions/${id}`;
  if (kind === 'process') return screen === 'processes' || screen === `processes/${id}`;
  return isMapScreen(screen) || (screen === 'table' && !isMove && kind !== 'note');
}

/** Opens the screen of a target, without it if it was deleted. */
function showTarget({ kind, id }: EditTarget): void {
  const exists = useWorkspace.getState().rows?.[kind].has(id);
  if (kind === 'tour') navigate(openWorkspacePath());
  else if (kind === 'view') goToView(exists ? id : null);
  else if (kind === 'decision') navigate(openWorkspacePath('decisions', ...(exists ? [id] : [])));
  else if (kind === 'process') navigate(openWorkspacePath('processes', ...(exists ? [id] : [])));
  else if (exists && kind === 'component') showComponent(id);
  else navigate(`${openWorkspacePath()}${exists ? `?${new URLSearchParams({ [kind.charAt(0)]: id })}` : ''}`);
}
