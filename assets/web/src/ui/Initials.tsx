/** A person without a picture: nothing is loaded from other hosts, so these are all there are. */
import styles from './Initials.module.css';

export function Initials({ name, large = false }: { name: string; large?: boolean }) {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return (
    <span className={styles.initials} data-large={large || undefined} aria-hidden>
      {letters.join('').toLocaleUpperCase()}
    </span>
  );
}
