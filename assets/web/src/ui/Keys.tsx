/** The list of keyboard shortcuts by group, from the same actions that bind them. */
import { allActions, grouped } from '@/actions';
import { type Action, keysOf, titleOf } from '@/actions/action';
import { showKeys } from '@/actions/keys';
import { openWindow, useWindows } from '@/actions/windows';
import { Dialog } from './Dialog';
import styles from './Keys.module.css';

/** Mouse and touch gestures, which are not actions. */
const HANDS: readonly { what: string; how: string }[] = [
  { what: 'Pan the map', how: 'Drag empty space' },
  { what: 'Zoom', how: 'Scroll or pinch' },
  { what: 'Select multiple components', how: 'Shift+drag' },
  { what: 'Add component', how: 'Double-click empty space' },
  { what: 'Connect', how: 'Drag from a component edge' },
  {
    what: 'Context menu',
    how: `Right-click, ${showKeys('Shift+F10')}, long-press`,
  },
  { what: 'Move without snapping', how: 'Alt+drag' },
];

export function Keys() {
  const isOpen = useWindows(({ open }) => open === 'keys');
  const close = () => openWindow(null);
  return (
    <Dialog open={isOpen} onClose={close} title="Keyboard shortcuts" wide>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className={styles.groups} aria-label="All keyboard shortcuts" tabIndex={0}>
        {grouped(allActions().filter((action) => keysOf(action).length > 0)).map(
          ({ group, actions: some }) => (
            <section key={group} className={styles.group}>
              <h3>{group}</h3>
              <dl className={styles.list}>
                {some.map((action) => (
                  <Line key={action.id} action={action} />
                ))}
              </dl>
            </section>
          ),
        )}
        <section className={styles.group}>
          <h3>Mouse and touch</h3>
          <dl className={styles.list}>
            {HANDS.map(({ what, how }) => (
              <div key={what} className={styles.line}>
                <dt>{what}</dt>
                <dd>{how}</dd>
              </div>
            ))}
          </dl>
        </section>
      </section>
    </Dialog>
  );
}

function Line({ action }: { action: Action }) {
  return (
    <div className={styles.line}>
      <dt>{titleOf(action)}</dt>
      <dd>
        {keysOf(action).map((keys) => (
          <kbd key={keys}>{showKeys(keys)}</kbd>
        ))}
      </dd>
    </div>
  );
}
