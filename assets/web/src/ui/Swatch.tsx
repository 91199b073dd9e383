/** A catalog or lens color, drawn as on cards. */
import type { ReactNode } from 'react';
import { cardStyle } from './cardStyle';
import styles from './Swatch.module.css';

interface Props {
  color: string;
  /** An icon or a few letters. If omitted, the swatch is a dot. */
  children?: ReactNode;
}

export function Swatch({ color, children }: Props) {
  return (
    <span className={children ? styles.swatch : styles.dot} style={cardStyle(color)} data-swatch aria-hidden>
      {children}
    </span>
  );
}
