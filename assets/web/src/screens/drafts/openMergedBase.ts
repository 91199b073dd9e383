/** Opens the base after a merge, which can be undone there. */
import { useSession } from '@/api/session';
import { truncate } from '@/core/text';
import { showToast } from '@/ui/Toasts';
import { recordUndoStep, useWorkspace } from '@/workspace/store';
import { showUndoToast } from '@/workspace/undo';
import { loadUndoStacks, saveUndoStacks } from '@/workspace/undoStack';

interface Merged {
  title: string;
  /** The ID of the base. */
  workspaceId: string;
  /** Null if nothing had to change. */
  changeSetId: string | null;
  canUndo: boolean;
}

export function openMergedBase({ title, workspaceId, changeSetId, canUndo }: Merged, open: () => void): void {
  const name = truncate(title, 60);
  if (!changeSetId || !canUndo) {
    open();
    showToast(changeSetId ? `Merged “${name}”` : `Merged “${name}”. The workspace already had its changes.`);
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
