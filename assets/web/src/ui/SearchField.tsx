/** A field that filters a list. */
import { Search } from 'lucide-react';
import type { RefObject } from 'react';
import styles from './SearchField.module.css';

interface Props {
  /** The accessible name. */
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
  /** Determines its size and background. */
  className?: string | undefined;
  /** The input element, for focus management. */
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
