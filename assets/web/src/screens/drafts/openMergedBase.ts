/** Opens the base after a merge, which can be undone there. */
import type { Draft } from '@/api/drafts';
import { useSession } from '@/api/session';
import { truncate } from '@/core/text';
import { showToast } from '@/ui/Toasts';
import { recordUndoStep, useWorkspace } from '@/workspace/store';
import { showUndoToast } from '@/workspace/undo';
import { loadUndoStacks, saveUndoStacks } from '@/workspace/undoStack';

export function openMergedBase(
  { title, workspaceId }: Pick<Draft, 'title' | 'workspaceId'>,
  changeSetId: string | null,
  open: () => void,
): void {
  const name = truncate(title, 60);
  if (!changeSetId) {
    open();
    showToast(`Merged “${name}”. The workspace already had its changes.`);
    return;
  }
  const step = { id: changeSetId, changeSetId, label: `Merge draft “${name}”` };
  if (useWorkspace.getState().workspaceId === workspaceId) recordUndoStep(step);
  else {
    const { user } = useSession.getState();
    const { done = [] } = loadUndoStacks(user?.id, workspaceId);
    saveUndoStacks(user?.id, { done: [...done, step], undone: [], workspaceId });
  }
  open();
  showUndoToast(`Merged “${name}”`, changeSetId);
}
