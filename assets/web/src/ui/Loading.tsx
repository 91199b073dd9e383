/** Something is being read. Shown only when it takes a moment, so that quick answers do not flicker. */
import styles from './Loading.module.css';

export function Loading({ what }: { what: string }) {
  return (
    <p className={styles.waiting} role="status">
      Reading {what} …
    </p>
  );
}
