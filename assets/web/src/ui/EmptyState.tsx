/** Where there is nothing yet: what would be here, and how it comes. */
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
