/** An option with its color. */
import type { Choice } from '@/core/table/columns';
import styles from './Colored.module.css';

export function Colored({ choice, text }: { choice: Choice | undefined; text: string }) {
  return (
    <>
      {choice?.color && <span className={styles.dot} style={{ background: choice.color }} />}
      {text}
    </>
  );
}
