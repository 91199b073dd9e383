/** Who can view and edit a workspace, with an explanation of each choice. */
import { SHARING_OPTIONS, type Sharing, sharingOption, withOption } from '@/core/model/sharing';
import styles from './SharingField.module.css';

interface Props {
  value: Sharing;
  onChange: (to: Sharing) => void;
  /** The reason why it cannot be changed. */
  locked?: string | undefined;
}

export function SharingField({ value, onChange, locked }: Props) {
  const selected = sharingOption(value);
  return (
    <fieldset className={styles.field} disabled={Boolean(locked)}>
      <legend className={styles.legend}>Who has access</legend>
      {SHARING_OPTIONS.map((option) => (
        <label key={option.id} className={styles.choice}>
          <input
            type="radio"
            name="sharing"
            value={option.id}
            checked={option === selected}
            onChange={() => onChange(withOption(value, option))}
          />
          <span>
            <strong>{option.name}</strong>
            <span className={styles.meaning}>{option.meaning}</span>
          </span>
        </label>
      ))}
      {locked && <p className={styles.meaning}>{locked}</p>}
    </fieldset>
  );
}
