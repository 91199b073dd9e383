/** The context menu of the map. */
import { Plus } from 'lucide-react';
import { Fragment, useEffect, useRef } from 'react';
import { actionOf, isEnabled } from '@/actions';
import { runAction } from '@/actions/perform';
import { startDraft } from '@/map/edits/edits';
import { type ContextMenuRequest, useContextMenu } from '@/map/gestures/contextMenu';
import { MenuAt, MenuItem, MenuSeparator } from '@/ui/Menu';
import { ActionItem } from './ActionItem';

/** Menu items, grouped by what they act on. */
const MENU_ITEMS: Readonly<Record<ContextMenuRequest['of'], readonly (readonly string[])[]>> = {
  components: [
    ['selection.open', 'map.rename', 'map.fold', 'map.connect'],
    ['map.cut', 'map.copy', 'map.duplicate'],
    ['impact.dependents', 'impact.dependencies', 'view.fitSelection'],
    ['map.delete'],
  ],
  relationships: [['selection.open'], ['map.delete']],
  map: [
    ['map.paste', 'map.selectAll'],
    ['edit.undo', 'edit.redo'],
    ['view.fitAll', 'view.fullSize'],
  ],
};

export function ContextMenu() {
  const asked = useContextMenu((menu) => menu.asked);
  // Return the focus to the map before the action runs, because the action may move it.
  const before = useRef<HTMLElement | null>(null);
  const chosen = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (!asked) return;
    before.current = asked.returnFocus;
    chosen.current = null;
  }, [asked]);
  const choose = (run: () => void) => () => {
    chosen.current = run;
  };
  const close = () => useContextMenu.setState({ asked: null });
  const closed = () => {
    if (!chosen.current) return;
    before.current?.focus({ preventScroll: true });
    chosen.current();
  };
  const back = () => (chosen.current ? false : (before.current ?? false));
  return (
    <MenuAt at={asked?.at ?? null} onClose={close} onClosed={closed} back={back} label="Context menu">
      {asked?.of === 'map' && (
        <>
          <MenuItem icon={<Plus size={16} />} onSelect={choose(() => startDraft(asked.place, asked.parent))}>
            Add component here
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      {asked &&
        MENU_ITEMS[asked.of]
          .map((ids) => ids.map(actionOf).filter(isEnabled))
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
