/** All keys, by group, from the same list that binds them. */
import { allActions, groupActions } from '@/actions';
import { type Action, actionShortcuts, actionTitle } from '@/actions/action';
import { openDialog, useDialogs } from '@/actions/dialogs';
import { formatShortcut } from '@/actions/shortcuts';
import { Dialog } from '@/ui/Dialog';
import styles from './KeyboardShortcuts.module.css';

/** Pointer gestures, which are no shortcuts of an action. */
const POINTER_GESTURES: readonly { what: string; how: string }[] = [
  { what: 'Move the map', how: 'Drag empty space' },
  { what: 'Zoom', how: 'Wheel, or pinch' },
  { what: 'Select several', how: 'Shift and drag' },
  { what: 'Add a component', how: 'Double-click empty space' },
  { what: 'Connect', how: 'Drag from the edge of a component' },
  {
    what: 'See what can be done with it',
    how: `Right-click, ${formatShortcut('Shift+F10')}, or rest a finger on it`,
  },
  { what: 'Place without snapping', how: 'Alt while dragging' },
];

export function KeyboardShortcuts() {
  const isOpen = useDialogs(({ open }) => open === 'keys');
  const close = () => openDialog(null);
  return (
    <Dialog open={isOpen} onClose={close} title="Keys" wide>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the window is scrolled by keys */}
      <section className={styles.groups} aria-label="All keys" tabIndex={0}>
        {groupActions(allActions().filter((action) => actionShortcuts(action).length > 0)).map(
          ({ group, actions: some }) => (
            <section key={group} className={styles.group}>
              <h3>{group}</h3>
              <dl className={styles.list}>
                {some.map((action) => (
                  <ShortcutRow key={action.id} action={action} />
                ))}
              </dl>
            </section>
          ),
        )}
        <section className={styles.group}>
          <h3>By hand</h3>
          <dl className={styles.list}>
            {POINTER_GESTURES.map(({ what, how }) => (
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

function ShortcutRow({ action }: { action: Action }) {
  return (
    <div className={styles.line}>
      <dt>{actionTitle(action)}</dt>
      <dd>
        {actionShortcuts(action).map((keys) => (
          <kbd key={keys}>{formatShortcut(keys)}</kbd>
        ))}
      </dd>
    </div>
  );
}
