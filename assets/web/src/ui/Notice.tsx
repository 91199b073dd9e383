/** A page that has one thing to say. */
import type { ReactNode } from 'react';
import styles from './Notice.module.css';

export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.page}>
      <section className={styles.sheet}>
        <h1>{title}</h1>
        {children}
      </section>
    </main>
  );
}
