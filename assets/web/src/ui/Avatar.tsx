/**
 * Somebody as a disc with their initials: nothing is loaded from other hosts, so these are all there are. Who has an
 * account has a colour too, always the same, and never the only thing that tells them.
 */
import { initials } from '@/core/words';
import styles from './Avatar.module.css';

/** How many colours there are: `--person-0` and on, in tokens.css. */
const COLOURS = 8;

/** Which of the colours somebody has. */
export function colourOf(userId: number): string {
  return `var(--person-${Math.abs(userId) % COLOURS})`;
}

interface Props {
  name: string;
  /** None for a person of the directory, who need not have an account. */
  userId?: number;
  size?: 'small' | 'plain' | 'large' | 'huge';
}

export function Avatar({ userId, name, size = 'plain' }: Props) {
  const style = userId === undefined ? undefined : { background: colourOf(userId) };
  return (
    <span
      className={styles.avatar}
      data-size={size}
      data-plain={userId === undefined || undefined}
      style={style}
      aria-hidden
    >
      {initials(name)}
    </span>
  );
}
