/** A field that narrows what stands below it. */
import { Search } from 'lucide-react';
import type { RefObject } from 'react';
import styles from './SearchField.module.css';

interface Props {
  /** What is searched, for whoever does not see it. */
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
  /** How wide it is, and on what it lies. */
  className?: string | undefined;
  /** The input itself, for who puts the focus there. */
  input?: RefObject<HTMLInputElement | null>;
}

export function SearchField({ label, placeholder, value, onChange, className, input }: Props) {
  return (
    <label className={[styles.search, className].filter(Boolean).join(' ')}>
      <Search size={16} aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
