/** A loading indicator, shown after a short delay so that fast responses do not flicker. */
import styles from './Loading.module.css';

export function Loading({ what }: { what: string }) {
  return (
    <p className={styles.waiting} role="status">
      Loading {what}…
    </p>
  );
}
