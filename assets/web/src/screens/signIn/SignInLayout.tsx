/** The layout of pages before sign-in. */

import type { ReactNode } from 'react';
import { withBase } from '@/api/base';
import { useSignInConfig } from '@/data/queries';
import { useTitle } from '@/routing/useTitle';
import styles from './SignInLayout.module.css';

export function SignInLayout({ title, children }: { title: string; children: ReactNode }) {
  const { data } = useSignInConfig();
  useTitle(title);
  return (
    <main className={styles.page}>
      <section className={styles.sheet}>
        <p className={styles.brand}>
          <img src={withBase('/icon.svg')} alt="" width="28" height="28" />
          <span className={styles.instance}>{data?.instanceName || 'Planroom'}</span>
        </p>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </section>
    </main>
  );
}
