/** A section of the inspector with heading, count and add button. */
import { Plus } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { IconButton } from '@/ui/Button';
import styles from './Inspector.module.css';

interface Props {
  title: string;
  count?: number;
  /** The label of the add button. */
  addLabel?: string | undefined;
  /** The form that adds an item; `close` closes it. */
  add?: (close: () => void) => ReactNode;
  children?: ReactNode;
}

export function Section({ title, count, addLabel, add, children }: Props) {
  const id = useId();
  const [isAdding, setAdding] = useState(false);
  const adder = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAdding(false);
    // Move the focus before the form that contains the focused field is removed.
    adder.current?.focus();
  };
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.sectionHead}>
        <h2 id={id}>
          {title}
          {count !== undefined && count > 0 && <span className={styles.count}> {count}</span>}
        </h2>
        {addLabel && (
          <IconButton
            ref={adder}
            label={addLabel}
            icon={<Plus size={16} aria-hidden />}
            aria-expanded={isAdding}
            className={styles.small}
            onClick={() => setAdding(!isAdding)}
          />
        )}
      </header>
      {isAdding && addLabel && <div className={styles.adding}>{add?.(close)}</div>}
      {children}
    </section>
  );
}

/** A hint in an empty section. */
export function Hint({ children }: { children: ReactNode }) {
  return <p className={styles.hint}>{children}</p>;
}
