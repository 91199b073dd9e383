/** A small combobox for the map: type to filter, Enter or Tab to select the highlighted item. */
import { Combobox as Base } from '@base-ui/react/combobox';
import { type KeyboardEvent, type ReactNode, type Ref, useRef, useState } from 'react';
import styles from './Combobox.module.css';
import inline from './InlineCombobox.module.css';

export interface InlineItem {
  id: string;
  name: string;
  icon: ReactNode;
  /** Shown after the name. */
  hint?: string | undefined;
}

interface Props {
  /** The accessible name. */
  label: string;
  items: readonly InlineItem[];
  value: string;
  onChange: (id: string) => void;
  /** Called on Enter and Escape while the list is closed. */
  onEnter: () => void;
  onEscape: () => void;
  onBlur?: (event: React.FocusEvent<HTMLElement>) => void;
  inputRef?: Ref<HTMLInputElement>;
}

export function InlineCombobox({
  label,
  items,
  value,
  onChange,
  onEnter,
  onEscape,
  onBlur,
  inputRef,
}: Props) {
  const selected = items.find(({ id }) => id === value) ?? null;
  const [isOpen, setOpen] = useState(false);
  const highlighted = useRef<InlineItem | undefined>(undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Tab' && isOpen && highlighted.current) {
      onChange(highlighted.current.id);
      setOpen(false);
    }
    if (isOpen || event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onEnter();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      onEscape();
    }
  };
  return (
    <Base.Root
      items={items}
      value={selected}
      onValueChange={(item: InlineItem | null) => item && onChange(item.id)}
      open={isOpen}
      onOpenChange={setOpen}
      onItemHighlighted={(item: InlineItem | undefined) => {
        highlighted.current = item;
      }}
      itemToStringLabel={({ name }: InlineItem) => name}
      isItemEqualToValue={(one: InlineItem, other: InlineItem) => one.id === other.id}
      autoHighlight
    >
      <span className={inline.field}>
        <span className={inline.icon} aria-hidden>
          {selected?.icon}
        </span>
        <Base.Input
          ref={inputRef}
          className={inline.input}
          aria-label={label}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={onBlur}
          onKeyDown={onKeyDown}
        />
      </span>
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={4} align="start" collisionPadding={8}>
          <Base.Popup className={[styles.popup, inline.popup].join(' ')}>
            <Base.Empty>
              <div className={styles.empty}>No matches.</div>
            </Base.Empty>
            <Base.List>
              {(item: InlineItem) => (
                <Base.Item key={item.id} value={item} className={[styles.item, inline.item].join(' ')}>
                  {item.icon}
                  <span className={styles.name}>{item.name}</span>
                  {item.hint && <span className={inline.hint}>{item.hint}</span>}
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
