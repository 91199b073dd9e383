/** A list of values with a field that adds one. Values that no longer exist are struck through. */
import { X } from 'lucide-react';
import { Combobox, type ComboboxItem } from '@/ui/Combobox';
import styles from '../sheet/Sheet.module.css';

/** Maximum number of values that are listed. */
const MAX_SHOWN = 60;
/** Stands for the value without an ID, such as “No owner”, because an empty ID means nothing is selected. */
const NO_VALUE = ' ';

interface Props {
  label: string;
  values: readonly string[];
  options: readonly ComboboxItem[];
  onChange: (values: string[]) => void;
}

export function ChipList({ label, values, options, onChange }: Props) {
  const names = new Map(options.map(({ id, name }) => [id, name]));
  const left = options.flatMap((option) =>
    values.includes(option.id) ? [] : [option.id === '' ? { ...option, id: NO_VALUE } : option],
  );
  return (
    <>
      {values.length > 0 && (
        <ul className={styles.chips} aria-label={label}>
          {values.slice(0, MAX_SHOWN).map((value) => {
            const name = names.get(value);
            return (
              <li
                key={value}
                className={styles.chip}
                data-missing={name === undefined || undefined}
                title={name === undefined ? `${value} does not exist. It matches nothing.` : name}
              >
                <span>{name ?? value}</span>
                <button
                  type="button"
                  aria-label={`Remove ${name ?? value}${name === undefined ? ' (deleted)' : ''}`}
                  onClick={() => onChange(values.filter((one) => one !== value))}
                >
                  <X size={13} aria-hidden />
                </button>
              </li>
            );
          })}
          {values.length > MAX_SHOWN && (
            <li className={styles.soft}>… and {(values.length - MAX_SHOWN).toLocaleString('en')} more</li>
          )}
        </ul>
      )}
      <div className={styles.adder}>
        <Combobox
          key={values.length}
          label={`Add to ${label.toLowerCase()}`}
          items={left}
          value=""
          placeholder={`Add ${label.toLowerCase()}…`}
          onChange={(id) => id && onChange([...values, id === NO_VALUE ? '' : id])}
        />
      </div>
    </>
  );
}
