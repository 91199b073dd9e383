/** Asks whether the selected components are removed from the view or deleted, which are different things. */
import { useRef } from 'react';
import { formatCount } from '@/core/text';
import { checkCanEdit, deleteSelected, short } from '@/map/edits/edits';
import { removeFromView } from '@/map/edits/views';
import { useOpenView } from '@/map/state/openView';
import { focusComponent } from '@/map/state/selection';
import { setSelection, useView } from '@/map/state/view';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { useCanEdit, useModel } from '@/workspace/model';

export function RemoveOrDelete({ onClose }: { onClose: () => void }) {
  const open = useOpenView();
  const model = useModel();
  const canEdit = useCanEdit();
  const selected = useView((view) => view.selectedComponents);
  const first = useRef<HTMLButtonElement>(null);
  const ids = [...selected].filter((id) => model?.rows.component.has(id));
  if (!open || ids.length === 0) return null;
  const [id = ''] = ids;
  const what =
    ids.length === 1
      ? `“${short(model?.rows.component.get(id)?.name ?? id)}”`
      : formatCount(ids.length, 'component');
  const leave = () => {
    onClose();
    focusComponent(null);
  };
  const remove = () => {
    removeFromView(ids);
    setSelection([]);
    leave();
  };
  const deleteAll = () => {
    if (!checkCanEdit()) return;
    deleteSelected();
    leave();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${what} from this view?`}
      begin={first}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {canEdit && (
            <Button kind="danger" onClick={deleteAll}>
              Delete from workspace
            </Button>
          )}
          <Button kind="main" ref={first} onClick={remove}>
            Remove from view
          </Button>
        </>
      }
    >
      <p>
        <strong>Remove from view</strong> changes only the view “{open.view.name}”.{' '}
        {ids.length === 1 ? 'The component stays' : 'The components stay'} on the map, in other views, and in
        all relationships and processes.
      </p>
      {canEdit && (
        <p>
          <strong>Delete from workspace</strong> deletes {ids.length === 1 ? 'it' : 'them'} everywhere, with
          all relationships. You can undo both.
        </p>
      )}
    </Dialog>
  );
}
