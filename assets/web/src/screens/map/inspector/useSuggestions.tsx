/** Suggestions below a text field. Arrow keys highlight one, Enter and Tab accept it, Escape closes the list. */
import { type ComponentProps, type KeyboardEvent, type ReactNode, useState } from 'react';
import styles from './Suggestions.module.css';

export interface Suggestions {
  /** Called on focus, to load the suggestions. */
  load?: () => void;
  /** The suggestions for a text. */
  find: (text: string) => readonly string[];
  /** The text after a suggestion is accepted. */
  complete: (text: string, suggestion: string) => string;
  icon?: (suggestion: string) => ReactNode;
}

interface Options {
  id: string;
  text: string;
  type: (text: string) => void;
  suggestions: Suggestions | undefined;
}

interface FieldSuggestions {
  /** Attributes of the text field. */
  input: ComponentProps<'input'>;
  list: ReactNode;
  /** Returns whether the key was handled. */
  onKeyDown: (event: KeyboardEvent) => boolean;
  onBlur: () => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The next highlighted suggestion; the first one if the list was closed. */
function nextIndex(current: number, step: number, count: number): number {
  if (count === 0) return 0;
  return current < 0 && step < 0 ? count - 1 : (current + step + count) % count;
}

export function useSuggestions({ id, text, type, suggestions }: Options): FieldSuggestions {
  const [isOpen, setOpen] = useState(false);
  const [current, setCurrent] = useState(-1);
  const found = suggestions && isOpen ? suggestions.find(text) : [];
  const close = () => {
    setOpen(false);
    setCurrent(-1);
  };
  if (!suggestions) return { input: {}, list: null, onKeyDown: () => false, onBlur: close };
  const accept = (suggestion: string) => {
    type(suggestions.complete(text, suggestion));
    close();
  };
  const highlight = (step: number) => {
    setOpen(true);
    setCurrent(nextIndex(current, step, found.length));
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const highlighted = found[current];
    const step = STEPS[event.key];
    if (step !== undefined) {
      highlight(step);
    } else if (event.key === 'Escape' && found.length > 0) {
      close();
      event.stopPropagation();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && highlighted !== undefined) {
      accept(highlighted);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  };
  const optionId = (at: number) => `${id}-suggestion-${at}`;
  return {
    input: {
      role: 'combobox',
      'aria-expanded': found.length > 0,
      'aria-controls': `${id}-suggestions`,
      'aria-autocomplete': 'list',
      'aria-activedescendant': found[current] === undefined ? undefined : optionId(current),
      onFocus: suggestions.load,
      onInput: () => {
        setOpen(true);
        setCurrent(-1);
      },
    },
    list: (
      <div
        id={`${id}-suggestions`}
        role="listbox"
        aria-label="Suggestions"
        className={styles.list}
        hidden={found.length === 0}
        tabIndex={-1}
      >
        {found.map((suggestion, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keyboard events
          <div
            key={suggestion}
            id={optionId(at)}
            role="option"
            tabIndex={-1}
            aria-selected={at === current}
            className={styles.option}
            // Keep the focus in the field, which saves when it loses the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => accept(suggestion)}
          >
            {suggestions.icon && <span className={styles.icon}>{suggestions.icon(suggestion)}</span>}
            {suggestion}
          </div>
        ))}
      </div>
    ),
    onKeyDown,
    onBlur: close,
  };
}
