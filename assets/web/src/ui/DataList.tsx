/** A responsive list of items with facts and actions. */
import type { ReactNode } from 'react';
import styles from './DataList.module.css';

export function DataList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  title: ReactNode;
  /** Badges after the title. */
  badges?: ReactNode;
  /** Short facts below the title. False entries are skipped. */
  facts?: readonly (ReactNode | false)[];
  /** User-written text, shown unchanged. */
  text?: string | null | undefined;
  actions?: ReactNode;
  children?: ReactNode;
}

export function DataRow({ title, badges, facts = [], text, actions, children }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.description}>
        <div className={styles.title}>
          <span>{title}</span>
          {badges}
        </div>
        <div className={styles.facts}>
          {facts.filter(Boolean).map((fact, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of facts never changes
            <span key={place}>{fact}</span>
          ))}
        </div>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
      {children && <div className={styles.more}>{children}</div>}
    </li>
  );
}

export function Badge({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'good' | 'warn' | 'alarm';
  children: ReactNode;
}) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}

/** A list of names and values. */
export function DescriptionList({ of }: { of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.pairs}>
      {of.map(([name, value]) => (
        <DescriptionItem key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

function DescriptionItem({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** Shown instead of an empty list. */
export function EmptyList({ children }: { children: ReactNode }) {
  return <p className={styles.empty}>{children}</p>;
}
