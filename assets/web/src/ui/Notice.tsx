/** A page that has one thing to say. Inside a page that has its bar already it is a part of that. */
import { createContext, type ReactNode, useContext } from 'react';
import styles from './Notice.module.css';

/** Whether what is drawn stands inside the page's `main` already: there is one of it. */
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
