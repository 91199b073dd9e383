/**
 * A round avatar of a person: their photo or initials. Users with an account also have a fixed color, which is never
 * the only carrier of meaning.
 */
import { initials } from '@/core/text';
import type { ImageSource } from '@/data/useImage';
import styles from './Avatar.module.css';
import { ImageOrFallback } from './ImageOrFallback';

/** The number of colors: `--person-0` and up, in tokens.css. */
const COLORS = 8;

/** The color of an avatar, derived from the number of users or the ID of people without an account. */
export function avatarColor(id: number | string): string {
  const place = typeof id === 'number' ? id : hash(id);
  return `var(--person-${Math.abs(place) % COLORS})`;
}

/** FNV-1a with a final mix, so that similar IDs get different colors. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum ^ (sum >>> 15)) >>> 0;
}

interface Props {
  /** The ID of the user, or of the person if they have no account. */
  of: number | string;
  name: string;
  size?: 'small' | 'large' | 'huge' | 'giant';
  /** The person's photo. */
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
