/** Asks how two components relate, where the line between them was dropped. */
import { Menu as Base } from '@base-ui/react/menu';
import { useAppearance } from '@/map/drawing/appearance';
import { connect, DEFAULT_RELATIONSHIP_TYPE } from '@/map/edits/edits';
import { useInteraction } from '@/map/state/interaction';
import { MenuItem } from '@/ui/Menu';
import menu from '@/ui/Menu.module.css';
import { useWorkspace } from '@/workspace/store';

export function RelationshipTypePicker() {
  const joining = useInteraction((interaction) => interaction.newConnection);
  const { relationTypes } = useAppearance();
  const names = useWorkspace((state) => state.rows?.component);
  if (!joining) return null;
  const { from, to, at } = joining;
  const close = () => useInteraction.setState({ newConnection: null });
  const anchor = { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) };
  const first = relationTypes.filter(({ id }) => id === DEFAULT_RELATIONSHIP_TYPE);
  const others = relationTypes.filter(({ id }) => id !== DEFAULT_RELATIONSHIP_TYPE);
  return (
    <Base.Root defaultOpen modal={false} onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Positioner className={menu.positioner} anchor={anchor} sideOffset={4} align="start">
          <Base.Popup
            className={menu.popup}
            aria-label={`Choose a relationship type: ${names?.get(from)?.name} → ${names?.get(to)?.name}`}
          >
            {[...first, ...others].map(({ id, name, color }) => (
              <MenuItem
                key={id}
                icon={
                  <svg width="20" height="8" aria-hidden="true">
                    <path d="M0 4h18M14 1l4 3-4 3" stroke={color} strokeWidth="1.5" fill="none" />
                  </svg>
                }
                onSelect={() => connect(from, to, id)}
              >
                {name}
              </MenuItem>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
