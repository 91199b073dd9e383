/** A sample of the line style of a relationship type: with an arrowhead, or dashed if undirected. */
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
