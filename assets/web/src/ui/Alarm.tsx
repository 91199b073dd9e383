/** The error of a form, announced to screen readers when it appears. */
import type { ReactNode } from 'react';
import styles from './Alarm.module.css';

export function Alarm({ text, kind = 'alarm' }: { text: ReactNode; kind?: 'alarm' | 'warn' }) {
  return text ? (
    <div className={styles.alarm} data-kind={kind} role="alert">
      {text}
    </div>
  ) : null;
}
