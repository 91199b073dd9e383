/** The platform's own choice among few, for a row of a list or a tool: its name is not shown beside it but read aloud. */
import type { ComponentProps } from 'react';
import styles from './Field.module.css';

export function Select({ className, ...rest }: ComponentProps<'select'> & { 'aria-label': string }) {
  return <select {...rest} className={[styles.input, styles.narrow, className].filter(Boolean).join(' ')} />;
}
