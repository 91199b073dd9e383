/** Somebody as a disc with their initials. Their colour is always the same, and never the only thing that tells them. */
import styles from './Avatar.module.css';

/** How many colours there are: `--person-0` and on, in tokens.css. */
const COLOURS = 8;

/** Which of the colours somebody has. */
export function colourOf(userId: number): string {
  return `var(--person-${Math.abs(userId) % COLOURS})`;
}

/** First letters of the first and the last name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = [...(words[0] ?? '?')][0] ?? '?';
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : '';
  return (first + last).toUpperCase();
}

export function Avatar({ userId, name, small = false }: { userId: number; name: string; small?: boolean }) {
  return (
    <span
      className={styles.avatar}
      data-small={small || undefined}
      style={{ background: colourOf(userId) }}
      aria-hidden
    >
      {initials(name)}
    </span>
  );
}
