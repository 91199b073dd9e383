/** All keys, by group, from the same list that binds them. */
import { allActions, grouped } from '@/actions';
import { type Action, keysOf, titleOf } from '@/actions/action';
import { openWindow, useWindows } from '@/actions/dialogs';
import { showKeys } from '@/actions/shortcuts';
import { Dialog } from '@/ui/Dialog';
import styles from './KeyboardShortcuts.module.css';

/** What hands do that is no key of an action. */
const HANDS: readonly { what: string; how: string }[] = [
  { what: 'Move the map', how: 'Drag empty space' },
  { what: 'Zoom', how: 'Wheel, or pinch' },
  { what: 'Select several', how: 'Shift and drag' },
  { what: 'Add a component', how: 'Double-click empty space' },
  { what: 'Connect', how: 'Drag from the edge of a component' },
  {
    what: 'See what can be done with it',
    how: `Right-click, ${showKeys('Shift+F10')}, or rest a finger on it`,
  },
  { what: 'Place without snapping', how: 'Alt while dragging' },
];

export function Keys() {
  const isOpen = useWindows(({ open }) => open === 'keys');
  const close = () => openWindow(null);
  return (
    <Dialog open={isOpen} onClose={close} title="Keys" wide>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the window is scrolled by keys */}
      <section className={styles.groups} aria-label="All keys" tabIndex={0}>
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
          <h3>By hand</h3>
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
