/** An empty state: describes the missing content and how to add it. */
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

export function EmptyState({
  title,
  children,
  icon,
}: {
  title: string;
  children: ReactNode;
  icon?: ReactNode;
}) {
  return (
    <section className={styles.empty}>
      {icon}
      <h2>{title}</h2>
      {children}
    </section>
  );
}
