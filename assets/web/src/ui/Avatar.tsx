/**
 * Somebody as a disc: their photograph where there is one, else their initials. Who has an account has a colour too, always
 * the same, and never the only thing that tells them.
 */
import { initials } from '@/core/text';
import type { ImageSource } from '@/data/useImage';
import styles from './Avatar.module.css';
import { ImageOrFallback } from './ImageOrFallback';

/** How many colours there are: `--person-0` and on, in tokens.css. */
const COLORS = 8;

/** Which of the colours somebody has: users are told by number, people without an account by their id. */
export function avatarColor(id: number | string): string {
  const place = typeof id === 'number' ? id : hash(id);
  return `var(--person-${Math.abs(place) % COLORS})`;
}

/** FNV-1a, mixed: ids that differ little differ much. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum ^ (sum >>> 15)) >>> 0;
}

interface Props {
  /** Of the user, if there is one; else of the person. */
  of: number | string;
  name: string;
  size?: 'small' | 'large' | 'huge';
  /** Their photograph. */
  photo?: ImageSource | undefined;
}

export function Avatar({ of, name, size, photo }: Props) {
  return (
    <span className={styles.avatar} data-size={size} style={{ background: avatarColor(of) }} aria-hidden>
      <ImageOrFallback image={photo} className={styles.photo}>
        {initials(name)}
      </ImageOrFallback>
    </span>
  );
}
