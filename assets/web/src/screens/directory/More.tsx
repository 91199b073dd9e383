/** A list that shows its first part, and the rest on request. */
import { type ReactNode, useState } from 'react';
import { Button } from '@/ui/Button';
import styles from './Directory.module.css';

const FIRST = 24;
const STEP = 500;

export function More<T>({ items, render }: { items: readonly T[]; render: (item: T) => ReactNode }) {
  const [shown, setShown] = useState(FIRST);
  const left = items.length - shown;
  return (
    <>
      <ul className={styles.answers}>{items.slice(0, shown).map(render)}</ul>
      {left > 0 && (
        <div>
          <Button kind="quiet" onClick={() => setShown(shown + STEP)}>
            Show {Math.min(left, STEP).toLocaleString('en')} more
          </Button>
        </div>
      )}
    </>
  );
}
