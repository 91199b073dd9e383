/** A page with a single message, with or without the app bar. */
import { createContext, type ReactNode, useContext } from 'react';
import styles from './Notice.module.css';

/** Whether the element is inside the `main` element of the page. */
export const InMainContext = createContext(false);

export function Notice({ title, children }: { title: string; children: ReactNode }) {
  const Around = useContext(InMainContext) ? 'div' : 'main';
  return (
    <Around className={styles.page}>
      <section className={styles.sheet}>
        <h1>{title}</h1>
        {children}
      </section>
    </Around>
  );
}
