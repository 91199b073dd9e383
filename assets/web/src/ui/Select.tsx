/** A native select without visible label, for rows and toolbars. */
import type { ComponentProps } from 'react';
import styles from './Field.module.css';

export function Select({ className, ...rest }: ComponentProps<'select'> & { 'aria-label': string }) {
  return <select {...rest} className={[styles.input, styles.narrow, className].filter(Boolean).join(' ')} />;
}
