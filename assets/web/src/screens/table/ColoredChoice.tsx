/** An option with its color. */
import type { ColumnChoice } from '@/core/table/columns';
import { Swatch } from '@/ui/Swatch';
import styles from './ColoredChoice.module.css';

export function ColoredChoice({ choice, text }: { choice: ColumnChoice | undefined; text: string }) {
  return (
    <>
      {choice?.color && (
        <span className={styles.swatch}>
          <Swatch color={choice.color} />
        </span>
      )}
      {text}
    </>
  );
}
