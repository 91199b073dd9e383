/** A form error, announced to screen readers when it appears. */
import type { ReactNode } from 'react';
import styles from './Alert.module.css';

export function Alert({ text, kind = 'alarm' }: { text: ReactNode; kind?: 'alarm' | 'warn' }) {
  return text ? (
    <div className={styles.alert} data-kind={kind} role="alert">
      {text}
    </div>
  ) : null;
}
