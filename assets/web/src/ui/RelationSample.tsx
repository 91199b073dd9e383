/** A short piece of a line as the map draws it for a relationship type: an arrow, or dashes without a direction. */
import { cardStyle } from './cardStyle';
import styles from './RelationSample.module.css';

export function RelationSample({ color, directed }: { color: string; directed: boolean }) {
  return (
    <svg
      width="28"
      height="10"
      viewBox="0 0 28 10"
      className={styles.sample}
      style={cardStyle(color)}
      aria-hidden="true"
    >
      {directed ? <path d="M1 5h25M21 1.5l5 3.5-5 3.5" /> : <path d="M1 5h26" strokeDasharray="6 4" />}
    </svg>
  );
}
