/** A list that initially shows its first entries, with a button to show the rest. */
import { type ReactNode, useState } from 'react';
import { Button } from '@/ui/Button';
import styles from './Directory.module.css';

const INITIAL_ITEMS = 24;
const ITEMS_PER_PAGE = 500;

export function ShowMore<T>({ items, render }: { items: readonly T[]; render: (item: T) => ReactNode }) {
  const [visibleCount, setVisibleCount] = useState(INITIAL_ITEMS);
  const left = items.length - visibleCount;
  return (
    <>
      <ul className={styles.responsibilities}>{items.slice(0, visibleCount).map(render)}</ul>
      {left > 0 && (
        <div>
          <Button kind="quiet" onClick={() => setVisibleCount(visibleCount + ITEMS_PER_PAGE)}>
            Show {Math.min(left, ITEMS_PER_PAGE).toLocaleString('en')} more
          </Button>
        </div>
      )}
    </>
  );
}
