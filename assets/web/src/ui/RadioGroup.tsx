/** Radio buttons with an explanation for each option. */
import { type ReactNode, useId } from 'react';
import styles from './RadioGroup.module.css';

interface Props<T extends string> {
  label: string;
  options: readonly { id: T; name: string; hint?: ReactNode }[];
  value: T;
  onChange: (value: T) => void;
}

export function RadioGroup<T extends string>({ label, options, value, onChange }: Props<T>) {
  const name = useId();
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.id} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={option.id}
            checked={option.id === value}
            onChange={() => onChange(option.id)}
          />
          <span>
            {option.name}
            {option.hint && <span className={styles.hint}>{option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
