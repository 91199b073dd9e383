/** The context menu of the map. */
import { Frame, ImagePlus, MessageSquarePlus, Plus, StickyNote } from 'lucide-react';
import { Fragment, useEffect, useRef } from 'react';
import { actionOf, isEnabled } from '@/actions';
import type { Action } from '@/actions/action';
import { runAction } from '@/actions/runAction';
import { colorOf, NOTE_COLORS } from '@/core/notes/note';
import type { Point } from '@/core/scene/geometry';
import { startDraft } from '@/map/edits/edits';
import { chooseImages } from '@/map/edits/imageUpload';
import { describeScope } from '@/map/edits/layout';
import { placeNote, selectedNotes, setNoteColor } from '@/map/edits/notes';
import { type ContextMenuRequest, useContextMenu } from '@/map/gestures/contextMenu';
import { mapAnchor, writeComment } from '@/map/state/comments';
import { useView } from '@/map/state/view';
import { MenuAt, MenuColors, MenuItem, MenuSeparator } from '@/ui/Menu';
import { useCanEdit } from '@/workspace/model';
import { ActionItem } from './ActionItem';

/** Layouts of the selection. The menu does not contain layouts of the whole map. */
const LAYOUTS: readonly string[] = ['arrange.layered', 'arrange.organic'];

/** Menu items, grouped by target. */
const MENU_ITEMS: Readonly<Record<ContextMenuRequest['of'] | 'several', readonly (readonly string[])[]>> = {
  components: [
    ['map.rename', 'selection.open', 'map.connect', 'comments.add'],
    ['map.toggleGroup', 'map.group', 'map.ungroup'],
    LAYOUTS,
    ['map.cut', 'map.copy', 'map.duplicate'],
    ['impact.dependents', 'impact.dependencies', 'view.focus', 'view.fitSelection'],
    ['map.delete'],
  ],
  several: [
    ['selection.open', 'map.connect', 'impact.paths'],
    ['map.group', 'map.ungroup'],
    LAYOUTS,
    ['arrange.left', 'arrange.top', 'arrange.distributeHorizontally', 'arrange.distributeVertically'],
    ['map.cut', 'map.copy', 'map.duplicate'],
    ['view.focus', 'view.fitSelection'],
    ['map.delete'],
  ],
  relationships: [
    ['map.rename', 'selection.open', 'comments.add'],
    ['line.edit', 'line.straight', 'line.routed', 'line.reset'],
    ['map.delete'],
  ],
  notes: [
    ['note.edit'],
    ['note.forward', 'note.backward', 'note.front', 'note.back'],
    ['arrange.left', 'arrange.top', 'arrange.distributeHorizontally', 'arrange.distributeVertically'],
    ['map.cut', 'map.copy', 'map.duplicate'],
    ['view.fitSelection'],
    ['map.delete'],
  ],
  map: [
    ['map.paste', 'map.selectAll'],
    ['edit.undo', 'edit.redo'],
    ['view.fitAll', 'view.fullSize', 'map.collapseAll', 'map.expandAll', 'view.copyLink'],
  ],
};

function isShown(action: Action): boolean {
  return isEnabled(action) && (!LAYOUTS.includes(action.id) || describeScope() !== 'all');
}

/** Whether more than one component, or components and notes, are selected. */
function isSeveral(): boolean {
  const { selectedComponents, selectedNotes } = useView.getState();
  return selectedComponents.size + selectedNotes.size > 1;
}

/** The items that add notes at the position of the menu. */
function AddNoteItems({ place, choose }: { place: Point; choose: (run: () => void) => () => void }) {
  return (
    <>
      <MenuItem icon={<StickyNote size={16} />} onSelect={choose(() => placeNote('note', place))}>
        Add note here
      </MenuItem>
      <MenuItem icon={<Frame size={16} />} onSelect={choose(() => placeNote('frame', place))}>
        Add frame here
      </MenuItem>
      <MenuItem icon={<ImagePlus size={16} />} onSelect={choose(() => void chooseImages(place))}>
        Add image here…
      </MenuItem>
    </>
  );
}

/** The colors of the selected notes; none if only images are selected. */
function NoteColors() {
  const selected = useView((view) => view.selectedNotes);
  const notes = selectedNotes().filter(({ kind }) => kind !== 'image');
  if (notes.length === 0) return null;
  const colors = new Set(notes.map(colorOf));
  return (
    <>
      <MenuColors
        label="Color"
        colors={NOTE_COLORS}
        value={colors.size === 1 ? [...colors][0] : undefined}
        onSelect={(color) => setNoteColor(selected, color)}
      />
      <MenuSeparator />
    </>
  );
}

export function ContextMenu() {
  const canEdit = useCanEdit();
  const request = useContextMenu((menu) => menu.request);
  // Return the focus to the map before the action runs, because the action may move it.
  const before = useRef<HTMLElement | null>(null);
  const chosen = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (!request) return;
    before.current = request.returnFocus;
    chosen.current = null;
  }, [request]);
  const choose = (run: () => void) => () => {
    chosen.current = run;
  };
  const close = () => useContextMenu.setState({ request: null });
  const closed = () => {
    if (!chosen.current) return;
    before.current?.focus({ preventScroll: true });
    chosen.current();
  };
  const back = () => (chosen.current ? false : (before.current ?? false));
  return (
    <MenuAt at={request?.at ?? null} onClose={close} onClosed={closed} back={back} label="Context menu">
      {request?.of === 'map' && (
        <>
          <MenuItem
            icon={<Plus size={16} />}
            onSelect={choose(() => startDraft(request.place, request.parent))}
          >
            Add component here
          </MenuItem>
          {canEdit && <AddNoteItems place={request.place} choose={choose} />}
          <MenuItem
            icon={<MessageSquarePlus size={16} />}
            onSelect={choose(() => writeComment(mapAnchor(request.place)))}
          >
            Comment here
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      {request?.of === 'notes' && canEdit && <NoteColors />}
      {request &&
        MENU_ITEMS[request.of === 'components' && isSeveral() ? 'several' : request.of]
          .map((ids) => ids.map(actionOf).filter(isShown))
          .filter((some) => some.length > 0)
          .map((some, at) => (
            <Fragment key={some[0]?.id}>
              {at > 0 && <MenuSeparator />}
              {some.map((action) => (
                <ActionItem key={action.id} action={action} onSelect={choose(() => runAction(action))} />
              ))}
            </Fragment>
          ))}
    </MenuAt>
  );
}
