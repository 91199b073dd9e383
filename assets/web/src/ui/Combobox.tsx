/** A combobox: type to filter, then select. */
import { Combobox as Base } from '@base-ui/react/combobox';
import { Field } from '@base-ui/react/field';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import styles from './Combobox.module.css';
import field from './Field.module.css';

export interface ComboboxItem {
  id: string;
  name: string;
  /** Distinguishes items with the same name. */
  hint?: string | undefined;
}

interface Props {
  label: ReactNode;
  items: readonly ComboboxItem[];
  /** The selected ID, or an empty string. If there is no item with an empty ID, clearing the text selects nothing. */
  value: string;
  onChange: (id: string) => void;
  placeholder?: string;
  problem?: string | undefined;
  autoFocus?: boolean;
}

/** Maximum number of items shown. Typing filters the others. */
const MAX_ITEMS = 60;

export function Combobox({ label, items, value, onChange, placeholder, problem, autoFocus }: Props) {
  const [isOpen, setOpen] = useState(false);
  const hasNone = items.some(({ id }) => id === '');
  const selected = items.find(({ id }) => id === value) ?? null;
  const name = selected?.name ?? '';
  const [text, setText] = useState(name);
  useEffect(() => setText(name), [name]);
  return (
    <Field.Root className={field.field} invalid={Boolean(problem)}>
      <Base.Root
        items={items}
        value={selected}
        {...(hasNone ? { inputValue: text, onInputValueChange: setText } : {})}
        onValueChange={(item: ComboboxItem | null) => {
          if (item || !hasNone) onChange(item?.id ?? '');
        }}
        open={isOpen}
        onOpenChange={setOpen}
        itemToStringLabel={({ name }: ComboboxItem) => name}
        isItemEqualToValue={(a: ComboboxItem, b: ComboboxItem) => a.id === b.id}
        limit={MAX_ITEMS}
        autoHighlight
      >
        <Field.Label className={field.label}>{label}</Field.Label>
        <Base.InputGroup className={styles.group}>
          <Base.Input
            className={field.input}
            placeholder={placeholder}
            autoFocus={autoFocus}
            // Deleting the text does not change the selection.
            onBlur={() => setText(name)}
            onKeyDown={(event) => {
              // While the list is closed, Escape would clear the text.
              if (event.key === 'Escape' && hasNone && !isOpen) event.preventBaseUIHandler();
            }}
          />
          <Base.Trigger className={styles.trigger} aria-label="Show all">
            <ChevronDown size={16} aria-hidden />
          </Base.Trigger>
        </Base.InputGroup>
        <Base.Portal>
          <Base.Positioner className={styles.positioner} sideOffset={4}>
            <Base.Popup className={styles.popup}>
              <Base.Empty>
                <div className={styles.empty}>No matches.</div>
              </Base.Empty>
              <Base.List>
                {(item: ComboboxItem) => (
                  <Base.Item key={item.id} value={item} className={styles.item}>
                    <span className={styles.name}>{item.name}</span>
                    {item.hint && <span className={styles.hint}>{item.hint}</span>}
                  </Base.Item>
                )}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
      {problem && (
        <Field.Error match className={field.problem}>
          {problem}
        </Field.Error>
      )}
    </Field.Root>
  );
}
