/** Asks how two components relate, where the line between them was dropped. */
import { Menu as Base } from '@base-ui/react/menu';
import { usePlan } from '@/plan/store';
import { MenuItem } from '@/ui/Menu';
import menu from '@/ui/Menu.module.css';
import { connect, DEFAULT_RELATION } from './edits';
import { useHold } from './hold';
import { useLooks } from './looks';

export function Joining() {
  const joining = useHold((hold) => hold.joining);
  const { relationTypes } = useLooks();
  const names = usePlan((plan) => plan.rows?.component);
  if (!joining) return null;
  const { from, to, at } = joining;
  const close = () => useHold.setState({ joining: null });
  const anchor = { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) };
  const first = relationTypes.filter(({ id }) => id === DEFAULT_RELATION);
  const others = relationTypes.filter(({ id }) => id !== DEFAULT_RELATION);
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
