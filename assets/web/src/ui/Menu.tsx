/** A menu opened by a button or at a point. */
import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import styles from './Menu.module.css';
import { noteStyle } from './noteStyle';

/** `trigger` is the button element. */
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

interface AtProps {
  /** A point in the window; null while the menu is closed. */
  at: { x: number; y: number } | null;
  onClose: () => void;
  /** Called when the menu has closed. */
  onClosed: () => void;
  /** Returns the element to focus when the menu closes; false to leave the focus unchanged. */
  back: () => HTMLElement | false;
  label: string;
  children: ReactNode;
}

export function MenuAt({ at, onClose, onClosed, back, label, children }: AtProps) {
  const { x, y } = at ?? { x: 0, y: 0 };
  const anchor = useMemo(() => ({ getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }), [x, y]);
  return (
    <Base.Root
      open={at !== null}
      modal={false}
      onOpenChange={(open) => !open && onClose()}
      onOpenChangeComplete={(open) => !open && onClosed()}
    >
      <Base.Portal>
        <Base.Positioner className={styles.positioner} anchor={anchor} align="start">
          <Base.Popup className={styles.popup} aria-label={label} finalFocus={back}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  onSelect: () => void;
  icon?: ReactNode;
  /** The shortcut of the item. */
  keys?: string;
  disabled?: boolean;
  danger?: boolean;
  /** The reason why the item is disabled. */
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

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** An item that is on or off. The menu stays open. */
export function MenuCheckbox({ checked, onChange, children }: CheckboxProps) {
  return (
    <Base.CheckboxItem className={styles.item} checked={checked} onCheckedChange={onChange}>
      <span className={styles.icon}>
        <Base.CheckboxItemIndicator>
          <Check size={16} aria-hidden />
        </Base.CheckboxItemIndicator>
      </span>
      <span>{children}</span>
    </Base.CheckboxItem>
  );
}

export function MenuSeparator() {
  return <Base.Separator className={styles.line} />;
}

interface ColorsProps<T extends string> {
  label: string;
  colors: readonly { id: T; name: string; value: string }[];
  value: T | undefined;
  onSelect: (color: T) => void;
}

/** A row of colors. */
export function MenuColors<T extends string>({ label, colors, value, onSelect }: ColorsProps<T>) {
  return (
    <Base.RadioGroup className={styles.colors} aria-label={label} value={value ?? ''}>
      {colors.map((color) => (
        <Base.RadioItem
          key={color.id}
          value={color.id}
          className={styles.color}
          style={noteStyle(color.value)}
          aria-label={color.name}
          title={color.name}
          closeOnClick
          onClick={() => onSelect(color.id)}
        />
      ))}
    </Base.RadioGroup>
  );
}
