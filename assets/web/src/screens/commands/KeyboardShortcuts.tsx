/** The list of keyboard shortcuts by group, generated from the actions. */
import { allActions, groupActions } from '@/actions';
import { type Action, actionShortcuts, actionTitle } from '@/actions/action';
import { openDialog, useDialogs } from '@/actions/dialogs';
import { formatShortcut } from '@/actions/shortcuts';
import { Dialog } from '@/ui/Dialog';
import styles from './KeyboardShortcuts.module.css';

/** Mouse and touch gestures, which are not actions. */
const POINTER_GESTURES: readonly { what: string; how: string }[] = [
  { what: 'Pan the map', how: 'Drag empty space' },
  { what: 'Zoom', how: 'Scroll or pinch' },
  { what: 'Select multiple components', how: 'Shift+drag, or drag with the Select tool' },
  { what: 'Edit the label of a relationship', how: 'Double-click its line' },
  { what: 'Add component', how: 'Double-click empty space' },
  { what: 'Connect', how: 'Drag from a component edge' },
  {
    what: 'Context menu',
    how: `Right-click, ${formatShortcut('Shift+F10')}, long-press`,
  },
  { what: 'Move without snapping', how: 'Alt+drag' },
];

export function KeyboardShortcuts() {
  const isOpen = useDialogs(({ open }) => open === 'shortcuts');
  const close = () => openDialog(null);
  return (
    <Dialog open={isOpen} onClose={close} title="Keyboard shortcuts" wide>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className={styles.groups} aria-label="All keyboard shortcuts" tabIndex={0}>
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
          <h3>Mouse and touch</h3>
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
