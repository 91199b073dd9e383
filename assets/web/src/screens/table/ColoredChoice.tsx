/** A choice with its colour beside its name. */
import type { Choice } from '@/core/table/columns';
import styles from './ColoredChoice.module.css';

export function Colored({ choice, text }: { choice: Choice | undefined; text: string }) {
  return (
    <>
      {choice?.color && <span className={styles.dot} style={{ background: choice.color }} />}
      {text}
    </>
  );
}
