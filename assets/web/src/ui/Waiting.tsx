/** Something is being read. Shown only when it takes a moment, so that quick answers do not flicker. */
import styles from './Waiting.module.css';

export function Waiting({ what }: { what: string }) {
  return (
    <p className={styles.waiting} role="status">
      Loading {what}…
    </p>
  );
}
