/** A menu behind a button. */
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './Menu.module.css';

/** `trigger` is the button, as an element. */
export function Menu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={6} align="start">
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  onSelect: () => void;
  icon?: ReactNode;
  /** Keys that do the same. */
  keys?: string;
  disabled?: boolean;
  danger?: boolean;
  /** Why it is disabled. */
  title?: string | undefined;
  children: ReactNode;
}

export function MenuItem(props: ItemProps) {
  const { onSelect, icon, keys, disabled = false, danger = false, title, children } = props;
  return (
    <Base.Item
      className={styles.item}
      onClick={onSelect}
      disabled={disabled}
      title={title}
      data-danger={danger || undefined}
    >
      <span className={styles.icon}>{icon}</span>
      <span>{children}</span>
      {keys && <kbd>{keys}</kbd>}
    </Base.Item>
  );
}

export function MenuLine() {
  return <Base.Separator className={styles.line} />;
}
