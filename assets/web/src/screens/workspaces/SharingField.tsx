/** The visibility of a workspace, with an explanation of each choice. */
import type { Visibility } from '@/api/generated';
import { VISIBILITIES } from './labels';
import styles from './VisibilityField.module.css';

interface Props {
  value: Visibility;
  onChange: (to: Visibility) => void;
  /** The reason why it cannot be changed. */
  locked?: string | undefined;
}

export function VisibilityField({ value, onChange, locked }: Props) {
  return (
    <fieldset className={styles.field} disabled={Boolean(locked)}>
      <legend className={styles.legend}>Visibility</legend>
      {VISIBILITIES.map(({ id, name, meaning }) => (
        <label key={id} className={styles.choice}>
          <input
            type="radio"
            name="visibility"
            value={id}
            checked={value === id}
            onChange={() => onChange(id)}
          />
          <span>
            <strong>{name}</strong>
            <span className={styles.meaning}>{meaning}</span>
          </span>
        </label>
      ))}
      {locked && <p className={styles.meaning}>{locked}</p>}
    </fieldset>
  );
}
