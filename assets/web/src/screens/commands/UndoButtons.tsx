/** The buttons to undo and redo edits of the open workspace. */
import { actionOf, isEnabled } from '@/actions';
import { actionTooltip } from '@/actions/action';
import { runAction } from '@/actions/runAction';
import { IconButton } from '@/ui/Button';
import { useWorkspace } from '@/workspace/store';

export function UndoButtons() {
  return (
    <>
      <UndoButton id="edit.undo" label="Undo" />
      <UndoButton id="edit.redo" label="Redo" />
    </>
  );
}

/** Undo or redo. If there is nothing to undo, the button looks disabled but keeps the focus. */
function UndoButton({ id, label }: { id: string; label: string }) {
  const action = actionOf(id);
  // Every change, undo and redo may change the title.
  useWorkspace(({ done }) => done);
  useWorkspace(({ undone }) => undone);
  const canDo = isEnabled(action);
  const Icon = action.icon;
  return (
    <IconButton
      label={label}
      title={actionTooltip(action)}
      icon={Icon && <Icon size={18} />}
      aria-disabled={!canDo}
      onClick={() => canDo && runAction(action)}
    />
  );
}
