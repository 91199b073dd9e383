/** Selects a component by typing part of its name. */
import { Combobox } from '@base-ui/react/combobox';
import { ChevronsUpDown, X } from 'lucide-react';
import { useMemo } from 'react';
import type { Component } from '@/api/generated';
import { useWorkspace } from '@/workspace/store';
import styles from './ComponentSelect.module.css';

interface Props {
  label: string;
  value: string | null;
  onChange: (componentId: string | null) => void;
  autoFocus?: boolean;
}

/** Maximum number of options shown. Typing filters the others. */
const MAX_SHOWN = 50;

export function ComponentSelect({ label, value, onChange, autoFocus }: Props) {
  const components = useWorkspace((state) => state.rows?.component);
  const items = useMemo(() => [...(components?.values() ?? [])], [components]);
  const chosen = (value && components?.get(value)) || null;
  return (
    <Combobox.Root<Component>
      items={items}
      value={chosen}
      onValueChange={(next) => onChange(next?.id ?? null)}
      itemToStringLabel={({ name }) => name}
      isItemEqualToValue={(a, b) => a.id === b.id}
      limit={MAX_SHOWN}
      autoHighlight
    >
      <div className={styles.box}>
        <Combobox.Input
          className={styles.input}
          aria-label={label}
          placeholder="Select component"
          autoFocus={autoFocus}
        />
        <Combobox.Clear className={styles.button} aria-label={`Clear: ${label}`}>
          <X size={14} aria-hidden />
        </Combobox.Clear>
        <Combobox.Trigger className={styles.button} aria-label={`Show all: ${label}`}>
          <ChevronsUpDown size={14} aria-hidden />
        </Combobox.Trigger>
      </div>
      <Combobox.Portal>
        <Combobox.Positioner className={styles.positioner} sideOffset={4} align="start">
          <Combobox.Popup className={styles.popup}>
            <Combobox.Empty className={styles.empty}>No matching components.</Combobox.Empty>
            <Combobox.List aria-label={label}>
              {(component: Component) => (
                <Combobox.Item key={component.id} value={component} className={styles.item}>
                  <span>{component.name}</span>
                  <small>{component.typeId}</small>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
