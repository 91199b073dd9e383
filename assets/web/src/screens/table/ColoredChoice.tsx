/** An option with its color. */
import type { ColumnChoice } from '@/core/table/columns';
import styles from './ColoredChoice.module.css';

export function ColoredChoice({ choice, text }: { choice: ColumnChoice | undefined; text: string }) {
  return (
    <>
      {choice?.color && <span className={styles.dot} style={{ background: choice.color }} />}
      {text}
    </>
  );
}
